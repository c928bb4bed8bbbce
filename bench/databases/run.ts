// node bench/databases/run.ts [--series 5000] [--days 730] [--changed 1000] [--databases sqlite,postgres]: see README.md
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
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

async function writeFiles(isLater: boolean) {
  const write = (name: string, lines: Iterable<string>) =>
    writeLines(path.join(folder, 'made-up'), name, lines)
  await write('demand.csv', demandLines({ series: SERIES, days: DAYS }, isLater ? CHANGED : 0))
  const onHand = (at: number) => String((at % 60) + (isLater && at < CHANGED ? 1 : 2))
  await write('stock.csv', linesPerSku(SERIES, 'sku,location,on_hand', onHand))
  if (!isLater) await write('planning.csv', planningLines(SERIES))
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
