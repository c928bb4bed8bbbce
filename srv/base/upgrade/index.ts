// Upgrades a database of a former version: the file before the deployment, its rows after it. Each step may be
// killed anywhere and be done again.
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import cds from '@sap/cds'
import {
  type DeployedModel,
  readDeployedModel,
  readModelInUse,
  writeDeployedModel,
} from '../cap/deployed-model.ts'
import { type AnyEntity, ApiKeys, Counters, Sources } from '../database/entities.ts'
import { DEFAULT_PRECEDENCE } from '../database/leads.ts'
import { SettingFault } from '../settings/config.ts'

/** CAP brings the entity, and no type of it. */
const MESSAGES = 'cds.outbox.Messages' as AnyEntity

/** After the deployment and before anything is served. */
export async function upgradeRows() {
  await addMissingKeys()
  await convertJoinedColumns()
  await shortenKeys()
  await setPrecedence()
  for (const [list, code] of DROPPED_CODES) {
    await DELETE.from(list).where({ code })
    await DELETE.from(`${list}.texts`).where({ code })
  }
  for (const target of DROPPED_QUEUES) await DELETE.from(MESSAGES).where({ target })
}

/** Keys live a year at most: those that were issued for longer end a year from now. */
async function shortenKeys() {
  const now = new Date()
  const aYearOn = new Date(now.setUTCFullYear(now.getUTCFullYear() + 1)).toISOString()
  await UPDATE.entity(ApiKeys)
    .set({ expiresAt: aYearOn })
    .where({ expiresAt: { '>': aYearOn } })
}

/**
 * Sources from before there was a precedence get the usual one. Of that time is also the default of sending no PKCE,
 * which stands in the options of each: from now on it is sent.
 */
async function setPrecedence() {
  const rows = await SELECT.from(Sources).columns('ID', 'options').where({ precedence: null })
  for (const { ID, options } of rows) {
    const parsed = JSON.parse(options ?? '{}') as { pkce?: boolean }
    const changed = parsed.pkce === false ? { ...parsed, pkce: true } : parsed
    await UPDATE.entity(Sources)
      .set({ precedence: DEFAULT_PRECEDENCE, options: options && JSON.stringify(changed) })
      .where({ ID })
  }
}

/** Makes `["a","b"]` of `a,b`. A list that is JSON already begins with a bracket and is left alone. */
async function convertJoinedColumns() {
  for (const { table, column, of } of JOINED_COLUMNS) {
    const list =
      of === 'numbers'
        ? `'[' || ${column} || ']'`
        : `'["' || replace(${column}, ',', '","') || '"]'`
    await cds.tx(() =>
      cds.run(
        `UPDATE ${table} SET ${column} = CASE WHEN length(${column}) = 0 THEN '[]' ELSE ${list} END
         WHERE ${column} NOT LIKE '[%'`,
      ),
    )
  }
}

// What differs between this version's database and those of former ones, but for what CAP adds by itself.

/** Entities that are no more. Views stand before the tables that they read. */
const DROPPED = [
  'restock.PlaceableReversals',
  'restock.PendingReversals',
  'restock.Demand',
  'restock.ScheduledRuns',
]

const DROPPED_COLUMNS: [entity: string, column: string][] = [
  ['restock.Locations', 'seenIn'],
  ['restock.Planning', 'seenIn'],
  ['restock.Skus', 'seenIn'],
  ['restock.Suppliers', 'seenIn'],
]

/** Codes of lists that no row has any more. */
const DROPPED_CODES: [list: string, code: string][] = [['restock.ApiKeyStates', 'valid']]

interface JoinedColumn {
  table: string
  column: string
  of: 'texts' | 'numbers'
}

/** Lists that were joined by a comma and are JSON now. */
const JOINED_COLUMNS: JoinedColumn[] = [
  { table: 'restock_ApiKeys', column: 'scopes', of: 'texts' },
  { table: 'restock_Users', column: 'roles', of: 'texts' },
  { table: 'restock_Webhooks', column: 'types', of: 'texts' },
  { table: 'restock_Policies', column: 'orderDays', of: 'numbers' },
  { table: 'restock_Proposals', column: 'exceptions', of: 'texts' },
  { table: 'restock_Proposals', column: 'calculation_drivers', of: 'texts' },
]

/** Queues of CAP's whose service is no more: what waited in them is done from its rows. */
const DROPPED_QUEUES = ['SchedulesService']

// Before CAP deploys to a SQLite file: drops what the model no longer has, which CAP refuses to.

/** Drops what the service once had, and what CAP remembers of it; demand is read again by the next sync. */
export function dropFromFile(file: string) {
  if (!existsSync(file)) return
  const database = new DatabaseSync(file)
  try {
    const model = readDeployedModel(database)
    if (!model) return
    const dropped = DROPPED.filter((name) => name in model.definitions)
    const columns = DROPPED_COLUMNS.filter(
      ([entity, column]) => model.definitions[entity]?.elements?.[column],
    )
    if (!dropped.length && !columns.length) return
    database.exec('BEGIN IMMEDIATE')
    for (const name of dropped) {
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

const typeOf = (database: DatabaseSync, name: string) =>
  database.prepare('SELECT type FROM sqlite_master WHERE name = ?').get(name)?.type

function drop(database: DatabaseSync, name: string) {
  const type = typeOf(database, name)
  if (type) database.exec(`DROP ${type} ${name}`)
}

// CAP adds what is new to a SQLite database, but for unique keys.

const LOG = cds.log('upgrade')

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
  const present = (await cds.run(UNIQUE_KEYS)) as { at: string; columns: string }[]
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

// Before the start reads anything: whether the tables are there, are those of this version, and may be read.

/** @throws SettingFault that names the deployment where it was forgotten, or has not ended yet */
export async function assertDeployed() {
  const fault = await FAULTS[cds.db.kind]?.()
  if (fault) throw new SettingFault(fault)
}

type Fault = string | undefined

const FAULTS: Record<string, () => Promise<Fault>> = { postgres: onPostgres, hana: onHana }

const IN_USE = `SELECT c.relname AS "table", array_agg(a.attname::text) AS columns,
    has_table_privilege(c.oid, 'SELECT') AS "mayRead", current_user::text AS "user"
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'v')
    AND a.attnum > 0 AND NOT a.attisdropped
  GROUP BY c.oid, c.relname`

interface InUse {
  table: string
  columns: string[]
  mayRead: boolean
  user: string
}

async function onPostgres(): Promise<Fault> {
  const rows = (await cds.run(IN_USE)) as InUse[]
  const inUse = new Map(rows.map((row) => [row.table, row]))
  const expected = expectedColumns()
  if (!expected.some(({ table }) => inUse.has(table)))
    return 'The database has no tables of Restock: run npm run deploy.'
  for (const { table, columns } of expected) {
    const found = inUse.get(table)
    const missing = found ? columns.find((name) => !found.columns.includes(name)) : ''
    if (missing !== undefined) {
      const name = missing ? `${table}.${missing}` : table
      return `The database is not of this version, since it has no ${name}: run npm run deploy.`
    }
  }
  const locked = expected.map(({ table }) => inUse.get(table)!).find(({ mayRead }) => !mayRead)
  return (
    locked &&
    `The database's user ${locked.user} may not read ${locked.table}: run npm run deploy -- --service-user ${locked.user}.`
  )
}

interface Element {
  name: string
  isAssociation?: boolean
  virtual?: boolean
  /** Of a calculated element. */
  value?: { stored?: boolean }
}

interface Entity extends cds.linked.LinkedDefinition {
  query?: object
  elements: Record<string, Element>
}

/** Tables and views of the model with their columns, as PostgreSQL spells them. */
function expectedColumns() {
  return cds
    .model!.all<Entity>('entity')
    .filter((each) => !each['@cds.persistence.skip'])
    .map(({ name, query, elements }) => ({
      table: name.replaceAll('.', '_').toLowerCase(),
      columns: Object.values(elements)
        .filter(({ isAssociation, virtual }) => !isAssociation && !virtual)
        .filter(({ value }) => query || !value || value.stored)
        .map((element) => element.name.toLowerCase()),
    }))
}

/** SQL error code of a table or view that is not there. */
const NO_TABLE = 259

async function onHana(): Promise<Fault> {
  try {
    await SELECT.one.from(Counters).columns('name')
  } catch (error) {
    if ((error as { code?: unknown }).code !== NO_TABLE) throw error
    return 'The database has no tables of Restock: deploy gen/db to its container, as restock-db-deployer of mta.yaml does.'
  }
}
