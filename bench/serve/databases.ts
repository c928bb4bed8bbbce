// The database of the measured service: SQLite, or a new PostgreSQL with BENCH_DB=postgres.
import { mkdtemp, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { launchPostgres } from '../../test/support/databases/launch-postgres.ts'

export interface Database {
  /** Environment of the service, and of scripts that copy rows. */
  env: Record<string, string>
  remove(): Promise<void>
}

type Row = Record<string, unknown>

interface Copier {
  run(sql: string): Promise<Row[]>
  columns(table: string): Promise<string[]>
  /** SQL expression of DAY plus this number of days. */
  dayAfter(days: string): string
  close(): Promise<void>
}

const DAY = '2026-11-01'

export const newDatabase = () => (process.env.BENCH_DB === 'postgres' ? newPostgres() : newFile())

async function newFile(): Promise<Database> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'restock-bench-'))
  const file = path.join(folder, 'restock.sqlite')
  return {
    env: { CDS_REQUIRES_DB_CREDENTIALS_URL: file, BENCH_DATABASE: file },
    remove: () => rm(folder, { recursive: true }),
  }
}

async function newPostgres(): Promise<Database> {
  const { server, port } = await launchPostgres()
  const credentials = { host: '127.0.0.1', port, user: 'restock', password: 'restock' }
  const db = { kind: 'postgres', model: null, impl: '@cap-js/postgres' }
  const requires = { db: { ...db, credentials: { ...credentials, database: 'postgres' } } }
  return {
    env: {
      CDS_CONFIG: JSON.stringify({ requires }),
      BENCH_DATABASE: `postgres://restock:restock@127.0.0.1:${port}/postgres`,
    },
    remove: () => server.stop(),
  }
}

/** @param name the `BENCH_DATABASE` of an environment */
export const openCopier = (name = process.env.BENCH_DATABASE!) =>
  name.startsWith('postgres:') ? openPostgresCopier(name) : openFileCopier(name)

async function openFileCopier(file: string): Promise<Copier> {
  const db = new DatabaseSync(file, { timeout: 60_000 })
  const run = async (sql: string) => db.prepare(sql).all()
  return {
    run,
    columns: async (table) =>
      (await run(`select name from pragma_table_info('${table}')`)).map(({ name }) => String(name)),
    dayAfter: (days) => `date('${DAY}', '+' || (${days}) || ' days')`,
    close: async () => db.close(),
  }
}

async function openPostgresCopier(connectionString: string): Promise<Copier> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const run = async (sql: string) => (await client.query<Row>(sql)).rows
  return {
    run,
    columns: async (table) =>
      (
        await run(
          `select column_name as name from information_schema.columns where table_name = '${table.toLowerCase()}'`,
        )
      ).map(({ name }) => String(name)),
    dayAfter: (days) => `date '${DAY}' + ${days}`,
    close: () => client.end(),
  }
}
