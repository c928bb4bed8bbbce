// Lets the service of this test file start on the database that an older version left behind.
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import cds from '@sap/cds'
import pg from 'pg'
import { temporaryFolder } from '../../support/configure.ts'
import { parseJson } from '../../support/json.ts'
import { withSharedModel } from '../../support/service.ts'

const folder = path.resolve(import.meta.dirname, '../../fixtures/0.1.0')
const unpack = (name: string) => gunzipSync(readFileSync(path.join(folder, `${name}.gz`)))
const { db } = parseJson<{ requires: { db: { kind: string; credentials: pg.ClientConfig } } }>(
  process.env.CDS_CONFIG!,
).requires

/** A webhook is given up after days of failures: that of the fixture began to fail an hour ago. */
const FAILING_SINCE = '2026-11-22T16:42:21.073Z'
const failingSince = new Date(Date.now() - 3_600_000).toISOString()

/** What the older version's /v1 answered, by path, in the words of today: names of terms are made when they are read. */
export const answers = parseJson<Record<string, unknown>>(
  unpack('answers.json')
    .toString()
    .replaceAll('"formula":"taken off"', '"formula":"less"')
    .replaceAll(FAILING_SINCE, failingSince),
)

const file = path.join(temporaryFolder, 'restock.sqlite')
writeFileSync(file, unpack('stored.sqlite'))
queueFormerWork()
failLately()
if (db.kind === 'postgres') {
  await storeInPostgres()
  deploy()
}

/** A task that still waits under the name that it had in the older version. */
function queueFormerWork() {
  const database = new DatabaseSync(file)
  const msg = JSON.stringify({ event: 'keepHouse', data: { dueAt: '2026-01-01T00:05:00.000Z' } })
  database
    .prepare("INSERT INTO cds_outbox_Messages (ID, target, msg) VALUES (?, 'SchedulesService', ?)")
    .run(randomUUID(), msg)
  database.close()
}

function failLately() {
  const database = new DatabaseSync(file)
  const { changes } = database
    .prepare('UPDATE restock_Webhooks SET failingSince = ? WHERE failingSince IS NOT NULL')
    .run(failingSince)
  database.close()
  if (changes !== 1) throw new Error(`${changes} webhooks of the fixture fail.`)
}

/** As docs/guides/operations.md says. */
function deploy() {
  const { NODE_OPTIONS: _o, JEST_WORKER_ID: _j, NODE_ENV: _e, ...env } = process.env
  const cwd = path.resolve(import.meta.dirname, '../../..')
  const options = { cwd, env: { ...env, ...withSharedModel() }, stdio: 'pipe' } as const
  execFileSync('npm', ['run', '--silent', 'deploy'], options)
}

/** The same rows in a database that was deployed with the older model. */
async function storeInPostgres() {
  const client = new pg.Client(db.credentials)
  await client.connect()
  const options = { kind: 'postgres', dialect: 'postgres', sqlDialect: 'postgres' }
  const { compile } = cds as unknown as { compile: { to: { sql: { delta: Delta } } } }
  const model = parseJson<object>(unpack('model.json').toString())
  const { afterImage, createsAndAlters } = compile.to.sql.delta(model, options)
  // The database of a test file has the tables of the present version.
  await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public')
  for (const statement of createsAndAlters) await client.query(statement)
  await client.query('CREATE TABLE cds_model (csn text)')
  await client.query('INSERT INTO cds_model VALUES ($1)', [JSON.stringify(afterImage)])
  const stored = new DatabaseSync(file, { readOnly: true })
  for (const [table, types] of await columnsOf(client)) {
    const isThere = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND lower(name) = ?"
    if (!stored.prepare(isThere).get(table)) continue
    for (const row of stored.prepare(`SELECT * FROM "${table}"`).all()) {
      const names = Object.keys(row)
      const places = names.map((_, at) => `$${at + 1}`)
      const values = names.map((name) =>
        types.get(name.toLowerCase()) === 'boolean' && row[name] !== null
          ? row[name] === 1
          : row[name],
      )
      const columns = names.map((name) => `"${name.toLowerCase()}"`)
      await client.query(`INSERT INTO ${table} (${columns}) VALUES (${places})`, values)
    }
  }
  stored.close()
  await client.end()
}

type Delta = (model: object, options: object) => { afterImage: object; createsAndAlters: string[] }

/** Types of all columns, by table. */
async function columnsOf(client: pg.Client): Promise<Map<string, Map<string, string>>> {
  const { rows } = await client.query<{ at: string; name: string; type: string }>(
    "SELECT c.table_name AS at, column_name AS name, data_type AS type FROM information_schema.columns AS c JOIN information_schema.tables AS t ON t.table_name = c.table_name WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'",
  )
  const tables = new Map<string, Map<string, string>>()
  for (const { at, name, type } of rows) {
    tables.set(at, (tables.get(at) ?? new Map<string, string>()).set(name, type))
  }
  return tables
}
