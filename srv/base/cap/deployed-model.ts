// Reads and changes what CAP remembers of the model that it deployed, with flat names: the one row of the table
// `cds_model`, which is not public. Tried with @sap/cds 10.1.1 and `schema_evolution: auto`. Why: CAP adds no unique keys to
// tables that are there, refuses to drop what the model no longer has, drops views that are not there, and works out the change of
// the schema at each start. Needed until it does the first two, and not the others.
import { createHash } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import cds from '@sap/cds'
import { type Database, type DeployableModel, facade } from './facade.ts'

export interface DeployedModel {
  definitions: Record<string, DeployedEntity>
}

interface DeployedEntity {
  '@cds.persistence.skip'?: boolean | string
  elements?: Record<string, object>
  $tableConstraints?: { unique?: Record<string, { paths: { ref: string[] }[] }> }
}

const READ = 'SELECT csn FROM cds_model'
const SQLITE_TABLE = "SELECT name FROM sqlite_master WHERE name = 'cds_model'"
const POSTGRES_TABLE =
  "SELECT 1 FROM pg_tables WHERE tablename = 'cds_model' AND schemaname = current_schema()"

/** Reads the model before the service has a connection; null if CAP has deployed nothing. */
export function readDeployedModel(database: DatabaseSync): DeployedModel | null {
  if (!database.prepare(SQLITE_TABLE).get()) return null
  return parseModel(database.prepare(READ).get())
}

export function writeDeployedModel(database: DatabaseSync, model: DeployedModel) {
  const { changes } = database.prepare('UPDATE cds_model SET csn = ?').run(JSON.stringify(model))
  if (changes !== 1)
    throw new Error('CAP no longer keeps the deployed model in one row of cds_model.')
}

/** Reads the model by a connection of CAP; null if CAP has deployed nothing. */
export async function readModelInUse(db: Database = cds.db): Promise<DeployedModel | null> {
  const table = db.kind === 'postgres' ? POSTGRES_TABLE : SQLITE_TABLE
  const tables = (await db.run(table)) as unknown[]
  if (!tables.length) return null
  const [row] = (await db.run(READ)) as { csn: unknown }[]
  return parseModel(row)
}

function parseModel(row: { csn?: unknown } | undefined): DeployedModel | null {
  if (!row) return null
  const model = JSON.parse(String(row.csn)) as Partial<DeployedModel>
  const { definitions } = model
  if (!definitions) throw new Error('CAP no longer keeps definitions in cds_model.')
  return { ...model, definitions }
}

/** Before each deployment: otherwise CAP drops the view of an entity that was not stored before, and fails. */
export function forgetUnstoredEntities() {
  const { schema } = facade.deploy
  facade.deploy.schema = async (db, ...rest) => {
    if (['sqlite', 'postgres'].includes(db.kind)) await forgetUnstored(db)
    return schema(db, ...rest)
  }
}

async function forgetUnstored(db: Database) {
  const model = await readModelInUse(db)
  const unstored = Object.entries(model?.definitions ?? {}).filter(
    ([, definition]) => definition['@cds.persistence.skip'] === true,
  )
  if (!model || !unstored.length) return
  for (const [name] of unstored) delete model.definitions[name]
  const parameter = db.kind === 'postgres' ? '$1' : '?'
  await db.run(`UPDATE cds_model SET csn = ${parameter}`, [JSON.stringify(model)])
}

let sourceOfDeployed: string | undefined

/**
 * A start on a SQLite file whose tables are of this very model makes none: that nothing changes takes the compiler a third of a start.
 * @param readNoted reads what `modelDeployed` told after an earlier start
 */
export function skipSameModel(readNoted: (db: Database) => Promise<string | null>) {
  const { schema } = facade.deploy
  facade.deploy.schema = async (db, model, ...rest) => {
    if (db.kind !== 'sqlite' || !model) return schema(db, model, ...rest)
    sourceOfDeployed = sourceOf(model)
    const noted = await readNoted(db)
    // CAP fills the code lists after a deployment, by what this answers.
    return (noted && noted === (await modelDeployed(db))) || schema(db, model, ...rest)
  }
}

/** What tells the model that this start has deployed, and what CAP remembers of it; null where it deployed none. */
export async function modelDeployed(db: Database = cds.db): Promise<string | null> {
  if (!sourceOfDeployed) return null
  const rows = (await db.run(READ)) as { csn: unknown }[]
  return hash(sourceOfDeployed, String(rows[0]?.csn))
}

const sourceOf = (model: DeployableModel) =>
  hash(JSON.stringify(model), String(model.meta?.creator), cds.version)

const hash = (...parts: string[]) => createHash('sha256').update(parts.join('\n')).digest('hex')
