// node bench/databases/run.ts [--series 5000] [--days 730] [--changed 1000] [--databases sqlite,postgres]: see README.md
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { launchPostgres } from '../../test/support/databases/launch-postgres.ts'
import { Instance } from '../../test/support/instance.ts'

const { values } = parseArgs({
  options: {
    series: { type: 'string', default: '5000' },
    days: { type: 'string', default: '730' },
    changed: { type: 'string', default: '1000' },
    databases: { type: 'string', default: 'sqlite,postgres' },
    top: { type: 'string', default: '0' },
  },
})
const [SERIES, DAYS, CHANGED] = [values.series, values.days, values.changed].map(Number) as [
  number,
  number,
  number,
]
const folder = mkdtempSync(path.join(os.tmpdir(), 'restock-bench-databases-'))
process.env.RESTOCK_CSV_ROOT = folder
process.env.RESTOCK_RATE_LIMIT = 'off'

const sku = (at: number) => `S${String(at).padStart(6, '0')}`
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

/** Of many levels, from every day to once a month; on the last day that of the first pairs alone. */
function* demand(hasLastDay: boolean) {
  yield 'sku,location,date,quantity'
  const dates = Array.from({ length: DAYS + 1 }, (_, ago) => day(ago))
  for (let at = 0; at < SERIES; at++) {
    const [level, gap] = [1 + (at % 13) ** 2, 1 + (at % 17)]
    for (let ago = DAYS; ago > 1; ago--) {
      if ((ago * 31 + at) % gap) continue
      const wave = 1 + 0.4 * Math.sin((ago / 365) * 2 * Math.PI) + (ago % 7 === 0 ? 0.5 : 0)
      const noise = ((at * 7919 + ago * 104_729) % 97) / 97
      const quantity = Math.round(level * wave * (0.5 + noise))
      if (quantity) yield `${sku(at)},L${at % 5},${dates[ago]},${quantity}`
    }
    if (hasLastDay && at < CHANGED) yield `${sku(at)},L${at % 5},${dates[1]},${level + 1}`
  }
}

function* perSku(header: string, of: (at: number) => string) {
  yield header
  for (let at = 0; at < SERIES; at++) yield `${sku(at)},L${at % 5},${of(at)}`
}

async function file(name: string, lines: Iterable<string>) {
  mkdirSync(path.join(folder, 'made-up'), { recursive: true })
  const stream = createWriteStream(path.join(folder, 'made-up', name))
  for (const line of lines) if (!stream.write(`${line}\n`)) await once(stream, 'drain')
  stream.end()
  await once(stream, 'finish')
}

async function writeFiles(isLater: boolean) {
  await file('demand.csv', demand(isLater))
  const onHand = (at: number) => String((at % 60) + (isLater && at < CHANGED ? 1 : 2))
  await file('stock.csv', perSku('sku,location,on_hand', onHand))
  const header = 'sku,location,lead_time_days,supplier,unit_cost,currency'
  const planning = (at: number) => `${3 + (at % 20)},V${at % 40},${1 + (at % 9)}.50,EUR`
  if (!isLater) await file('planning.csv', perSku(header, planning))
}

interface SyncRow {
  status: string
  phases: string
  startedAt: string | Date
  finishedAt: string | Date | null
}

/** A database with the service's tables. */
interface Database {
  db: object
  syncRow(ID: number): Promise<SyncRow>
  /** Forgets what was counted. */
  reset(): Promise<void>
  /** What the database has done since. */
  work(): Promise<Record<string, number>>
  stop(): Promise<void>
}

function openSqlite(): Promise<Database> {
  const url = path.join(folder, 'restock.sqlite')
  const none = () => Promise.resolve()
  return Promise.resolve({
    db: { credentials: { url } },
    syncRow(ID) {
      const client = new DatabaseSync(url, { readOnly: true })
      const row = client
        .prepare('SELECT status, phases, startedAt, finishedAt FROM restock_Syncs WHERE ID = ?')
        .get(ID) as unknown as SyncRow
      client.close()
      return Promise.resolve(row)
    },
    ...{ reset: none, stop: none, work: () => Promise.resolve({}) },
  })
}

const COUNTED = `FROM pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid
  WHERE query NOT LIKE '%pg_stat_statements%'`

async function openPostgres(): Promise<Database> {
  const flags = ['-c', 'shared_preload_libraries=pg_stat_statements', '-c', 'track_io_timing=off']
  const { server, port } = await launchPostgres(flags)
  const credentials = {
    ...{ host: '127.0.0.1', port, user: 'restock', password: 'restock', database: 'postgres' },
  }
  const client = new pg.Client(credentials)
  await client.connect()
  await client.query('CREATE EXTENSION pg_stat_statements')
  return {
    db: { kind: 'postgres', model: null, impl: '@cap-js/postgres', credentials },
    async syncRow(ID) {
      const sql =
        'SELECT status, phases, startedat AS "startedAt", finishedat AS "finishedAt" FROM restock_syncs WHERE id = $1'
      return (await client.query<SyncRow>(sql, [ID])).rows[0]!
    },
    async reset() {
      await client.query('SELECT pg_stat_statements_reset()')
    },
    async work() {
      const sql = `SELECT sum(calls)::int AS calls, sum(total_exec_time) / 1000 AS seconds ${COUNTED}`
      const { rows } = await client.query<{ calls: number; seconds: number }>(sql)
      const { rows: top } = await client.query<{ calls: number; ms: number; query: string }>(
        `SELECT calls::int, total_exec_time::int AS ms, rows::int, left(regexp_replace(query, '\\s+', ' ', 'g'), 230) AS query ${COUNTED}
         ORDER BY total_exec_time DESC LIMIT $1`,
        [Number(values.top)],
      )
      for (const each of top) console.log(JSON.stringify(each))
      return { statements: rows[0]!.calls, 'seconds in it': round(rows[0]!.seconds) }
    },
    async stop() {
      await client.end()
      await server.stop()
    },
  }
}

const OPEN: Record<string, () => Promise<Database>> = { sqlite: openSqlite, postgres: openPostgres }

const round = (value: number) => Math.round(value * 10) / 10

function figuresOf({ status, phases, startedAt, finishedAt }: SyncRow) {
  const end = new Date(finishedAt!).getTime()
  const begun = JSON.parse(phases) as { phase: string; startedAt: string }[]
  const seconds = begun.map(({ phase, startedAt: at }, index) => {
    const next = Date.parse(begun[index + 1]?.startedAt ?? '') || end
    return [phase, round((next - Date.parse(at)) / 1000)] as const
  })
  const all = round((end - new Date(startedAt).getTime()) / 1000)
  return { status, seconds: all, ...Object.fromEntries(seconds) }
}

const results: Record<string, object> = {}

async function run(kind: string) {
  const database = await OPEN[kind]!()
  process.env.CDS_CONFIG = JSON.stringify({
    requires: { db: database.db },
    restock: { schedules: { full: 'off', incremental: 'off', housekeeping: 'off' } },
  })
  await writeFiles(false)
  const instance = await Instance.start()
  try {
    const source = await instance.call('POST', '/sources', {
      ...{ type: 'csv', account: 'made-up', role: 'reader' },
    })
    for (const mode of ['full', 'incremental'] as const) {
      if (mode === 'incremental') await writeFiles(true)
      await database.reset()
      const sync = await instance.call('POST', `/sources/${source.json.id}/sync`, { mode })
      const ID = Number((sync.json as { id: string }).id.slice(5))
      let row = await database.syncRow(ID)
      for (; !row.finishedAt; row = await database.syncRow(ID)) await sleep(200)
      results[`${kind}, ${mode}`] = { ...figuresOf(row), ...(await database.work()) }
      console.log(kind, mode, results[`${kind}, ${mode}`])
    }
  } finally {
    await instance.end('SIGTERM')
    await database.stop()
  }
}

try {
  for (const kind of values.databases.split(',')) await run(kind)
  console.table(results)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
