// node bench/spread/run.ts [--series 5000] [--days 730] [--instances 1,2] [--kills 0] [--pin]: see README.md
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { launchPostgres } from '../../test/support/databases/launch-postgres.ts'
import { Instance } from '../../test/support/instance.ts'

const { values } = parseArgs({
  options: {
    series: { type: 'string', default: '5000' },
    days: { type: 'string', default: '730' },
    instances: { type: 'string', default: '1,2' },
    threads: { type: 'string', default: '1' },
    kills: { type: 'string', default: '0' },
    pin: { type: 'boolean', default: false },
  },
})
const [SERIES, DAYS, KILLS] = [values.series, values.days, values.kills].map(Number) as [
  number,
  number,
  number,
]
const { server, port } = await launchPostgres()
const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-spread-'))
const credentials = { host: '127.0.0.1', port, user: 'restock', password: 'restock' }
process.env.RESTOCK_CSV_ROOT = folder
process.env.RESTOCK_RATE_LIMIT = 'off'
process.env.RESTOCK_THREADS = values.threads

async function file(name: string, lines: Iterable<string>) {
  mkdirSync(path.join(folder, 'made-up'), { recursive: true })
  const stream = createWriteStream(path.join(folder, 'made-up', name))
  for (const line of lines) if (!stream.write(`${line}\n`)) await once(stream, 'drain')
  stream.end()
  await once(stream, 'finish')
}

const sku = (at: number) => `S${String(at).padStart(6, '0')}`
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

/** Of many levels, from every day to once a month, with weekdays, a season and a trend. */
function* demand() {
  yield 'sku,location,date,quantity'
  const dates = Array.from({ length: DAYS + 1 }, (_, ago) => day(ago))
  for (let at = 0; at < SERIES; at++) {
    const [level, gap] = [1 + (at % 13) ** 2, 1 + (at % 17)]
    for (let ago = DAYS; ago > 0; ago--) {
      if ((ago * 31 + at) % gap) continue
      const wave = 1 + 0.4 * Math.sin((ago / 365) * 2 * Math.PI) + (ago % 7 === 0 ? 0.5 : 0)
      const noise = ((at * 7919 + ago * 104_729) % 97) / 97
      const quantity = Math.round(level * wave * (0.5 + noise))
      if (quantity) yield `${sku(at)},L${at % 5},${dates[ago]},${quantity}`
    }
  }
}
function* perSku(header: string, of: (at: number) => string) {
  yield header
  for (let at = 0; at < SERIES; at++) yield `${sku(at)},L${at % 5},${of(at)}`
}

await file('demand.csv', demand())
await file(
  'stock.csv',
  perSku('sku,location,on_hand', (at) => String(at % 60)),
)
await file(
  'planning.csv',
  perSku(
    'sku,location,lead_time_days,supplier,unit_cost,currency',
    (at) => `${3 + (at % 20)},V${at % 40},${1 + (at % 9)}.50,EUR`,
  ),
)
await file('supplier_terms.csv', [
  'supplier,minimum_order_value',
  ...Array.from({ length: 10 }, (_, at) => `V${at},500`),
])

interface Row {
  status: string
  phase: string
  done: string
  phases: string
  finishedat: Date | null
}

/** Milliseconds in which the cores worked, and in which they did not. */
function coreTimes() {
  const all = os.cpus().map(({ times }) => times)
  const idle = all.reduce((sum, times) => sum + times.idle, 0)
  const total = all.flatMap((times) => Object.values(times)).reduce((sum, each) => sum + each, 0)
  return [total - idle, idle]
}

/** Gives each instance one core, as if it were a machine of its own; the database goes where there is room. */
function pinEach() {
  const { stdout } = spawnSync('pgrep', ['-P', String(process.pid), '-f', 'serve.ts'])
  const pids = String(stdout).trim().split('\n')
  for (const [at, pid] of pids.entries())
    spawnSync('taskset', ['-a', '-p', '-c', String(at % os.availableParallelism()), pid])
}

async function measure(count: number) {
  const database = `spread_${count}_${Date.now()}`
  const admin = new pg.Client({ ...credentials, database: 'postgres' })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${database}`)
  await admin.end()
  process.env.CDS_CONFIG = JSON.stringify({
    requires: {
      db: {
        ...{ kind: 'postgres', model: null, impl: '@cap-js/postgres' },
        credentials: { ...credentials, database },
      },
    },
    restock: { schedules: { full: 'off', incremental: 'off' } },
  })
  const first = await Instance.start()
  const instances = [first]
  while (instances.length < count) instances.push(await Instance.start())
  if (values.pin) pinEach()
  const client = new pg.Client({ ...credentials, database })
  await client.connect()
  const source = await first.call('POST', '/sources', {
    ...{ type: 'csv', account: 'made-up', role: 'reader' },
  })
  const sync = await first.call('POST', `/sources/${source.json.id}/sync`, { mode: 'full' })
  const ID = Number((sync.json as { id: string }).id.slice(5))
  const rowOf = async () =>
    (await client.query<Row>('SELECT * FROM restock_syncs WHERE id = $1', [ID])).rows[0]!
  let kills = 0
  let busySince: number[] | undefined
  for (;;) {
    const row = await rowOf()
    if (row.phase !== 'reading' && row.phase !== 'queued') busySince ??= coreTimes()
    if (!['queued', 'running'].includes(row.status)) break
    if (kills < KILLS && row.phase !== 'reading' && Number(row.done) > 0 && Math.random() < 0.05) {
      kills++
      const at = Math.floor(Math.random() * instances.length)
      await instances[at]!.end('SIGKILL')
      instances[at] = await Instance.start()
    }
    await sleep(100)
  }
  const [busy, idle] = coreTimes().map((now, at) => now - busySince![at]!) as [number, number]
  const row = await rowOf()
  const phases = JSON.parse(row.phases) as { phase: string; startedAt: string }[]
  const begin = (phase: string) => Date.parse(phases.find((one) => one.phase === phase)!.startedAt)
  const [forecasting, proposing] = [begin('forecasting'), begin('proposing')]
  const end = row.finishedat!.getTime()
  const digest = async (sql: string) => {
    const hash = createHash('sha256')
    const { rows } = await client.query<Record<string, unknown>>(sql)
    for (const each of rows) hash.update(JSON.stringify(each))
    return `${rows.length} ${hash.digest('hex').slice(0, 12)}`
  }
  const forecasts = await digest(
    'SELECT s.sku, s.location, f.asof, f.model FROM restock_forecasts f JOIN restock_series s ON s.id = f.series ORDER BY 1, 2',
  )
  const proposals = await digest(
    'SELECT sku, location, supplier, quantity, urgency, orderby, rationale, basis FROM restock_proposals ORDER BY 1, 2, 4',
  )
  const events = await digest(
    'SELECT type, count(*) FROM restock_events GROUP BY type ORDER BY type',
  )
  console.log(
    [
      ...[`${count} instances`, row.status, `${kills} kills`],
      `forecasts ${((proposing - forecasting) / 1000).toFixed(1)} s`,
      `proposals ${((end - proposing) / 1000).toFixed(1)} s`,
      `together ${((end - forecasting) / 1000).toFixed(1)} s`,
      `cores ${((100 * busy) / (busy + idle)).toFixed(0)} % busy`,
      ...[forecasts, proposals, events],
    ].join(' | '),
  )
  for (const each of instances) await each.end('SIGTERM')
  await client.end()
}

try {
  for (const count of values.instances.split(',')) await measure(Number(count))
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
