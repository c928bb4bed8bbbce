// node bench/spread/run.ts [--series 5000] [--days 730] [--instances 1,2] [--kills 0] [--pin]: see README.md
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { launchPostgres } from '../../test/support/databases/launch-postgres.ts'
import { Instance } from '../../test/support/instance.ts'
import { demandLines, linesPerSku, planningLines, writeLines } from '../support/made-up.ts'

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

const file = (name: string, lines: Iterable<string>) =>
  writeLines(path.join(folder, 'made-up'), name, lines)

await file('demand.csv', demandLines({ series: SERIES, days: DAYS }))
await file(
  'stock.csv',
  linesPerSku(SERIES, 'sku,location,on_hand', (at) => String(at % 60)),
)
await file('planning.csv', planningLines(SERIES))
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
