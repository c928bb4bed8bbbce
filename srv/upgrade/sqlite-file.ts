// CAP adds what is new to a SQLite database, but for unique keys, and refuses to drop what the model no longer has.
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import cds from '@sap/cds'
import {
  type DeployedModel,
  readDeployedModel,
  readModelInUse,
  writeDeployedModel,
} from './cap/deployed-model.ts'

const LOG = cds.log('upgrade')

/** Views stand before the tables that they read. */
const RETIRED = [
  'restock.PlaceableReversals',
  'restock.PendingReversals',
  'restock.Demand',
  'restock.ScheduledRuns',
]

const RETIRED_COLUMNS = [
  ...['Locations', 'Planning', 'Skus', 'Suppliers'].map((name) => [`restock.${name}`, 'seenIn']),
] as [entity: string, column: string][]

/** Drops what the service once had, and what CAP remembers of it; demand is read again by the next sync. */
export function dropRetired(file: string) {
  if (!existsSync(file)) return
  const database = new DatabaseSync(file)
  try {
    const model = readDeployedModel(database)
    if (!model) return
    const retired = RETIRED.filter((name) => name in model.definitions)
    const columns = RETIRED_COLUMNS.filter(
      ([entity, column]) => model.definitions[entity]?.elements?.[column],
    )
    if (!retired.length && !columns.length) return
    database.exec('BEGIN IMMEDIATE')
    for (const name of retired) {
      drop(database, name.replace('.', '_'))
      delete model.definitions[name]
    }
    for (const [entity, column] of columns) {
      database.exec(`ALTER TABLE ${entity.replace('.', '_')} DROP COLUMN ${column}`)
      delete model.definitions[entity]!.elements![column]
    }
    writeDeployedModel(database, model)
    database.exec('COMMIT')
  } finally {
    database.close()
  }
}

/** Adds the unique keys that tables of an older service lack, after the deployment; the others are left alone. */
export async function addMissingKeys() {
  if (cds.db.kind !== 'sqlite') return
  for (const { name, table, columns } of await missingKeys()) {
    try {
      await cds.tx(() =>
        cds.run(`CREATE UNIQUE INDEX IF NOT EXISTS ${name} ON ${table} (${columns})`),
      )
      LOG.info(`${table} has its key ${name} now`)
    } catch (error) {
      LOG.error(`${table} holds rows that are equal in ${columns}, which must be unique:`, error)
    }
  }
}

interface Key {
  name: string
  table: string
  /** Joined by a comma. */
  columns: string
}

async function missingKeys(): Promise<Key[]> {
  const model = await readModelInUse()
  if (!model) return []
  const present: { at: string; columns: string }[] = await cds.run(UNIQUE_KEYS)
  const known = new Set(present.map(({ at, columns }) => `${at} ${columns}`.toLowerCase()))
  return keysOf(model).filter(
    ({ table, columns }) => !known.has(`${table} ${columns}`.toLowerCase()),
  )
}

const UNIQUE_KEYS = `SELECT at, group_concat(name, ',') AS columns FROM
  (SELECT t.name AS at, k.name AS keyName, c.name AS name
   FROM sqlite_master AS t, pragma_index_list(t.name) AS k, pragma_index_info(k.name) AS c
   WHERE t.type = 'table' AND k."unique" ORDER BY k.name, c.seqno)
  GROUP BY at, keyName`

const keysOf = ({ definitions }: DeployedModel): Key[] =>
  Object.entries(definitions).flatMap(([entity, { $tableConstraints }]) =>
    Object.entries($tableConstraints?.unique ?? {}).map(([key, { paths }]) => {
      const table = entity.replaceAll('.', '_')
      return {
        name: `${table}_${key}`,
        table,
        columns: paths.map(({ ref }) => ref.join('_')).join(),
      }
    }),
  )

const typeOf = (database: DatabaseSync, name: string) =>
  database.prepare('SELECT type FROM sqlite_master WHERE name = ?').get(name)?.type

function drop(database: DatabaseSync, name: string) {
  const type = typeOf(database, name)
  if (type) database.exec(`DROP ${type} ${name}`)
}
