// Before the start reads anything: whether the tables are there, are those of this version, and may be read.
import cds from '@sap/cds'
import { SettingFault } from '../settings/config.ts'
import { Counters } from '../database/entities.ts'

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
