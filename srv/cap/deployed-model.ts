// Reads and changes what CAP remembers of the model that it deployed to a SQLite database, with flat names: the table
// `cds_model`, which is not public. Tried with @sap/cds 10.1.1 and `schema_evolution: auto`. Why: CAP adds no unique keys to
// tables that are there, and refuses to drop what the model no longer has. Needed until it does both.
import type { DatabaseSync } from 'node:sqlite'
import cds from '@sap/cds'

export interface DeployedModel {
  definitions: Record<string, DeployedEntity>
}

interface DeployedEntity {
  elements?: Record<string, unknown>
  $tableConstraints?: { unique?: Record<string, { paths: { ref: string[] }[] }> }
}

const IS_THERE = "SELECT name FROM sqlite_master WHERE name = 'cds_model'"
const READ = 'SELECT csn FROM cds_model'

/** Before the service has a connection; null where CAP has deployed nothing. */
export function readDeployedModel(database: DatabaseSync): DeployedModel | null {
  if (!database.prepare(IS_THERE).get()) return null
  return parseModel(database.prepare(READ).get())
}

export function writeDeployedModel(database: DatabaseSync, model: DeployedModel) {
  const { changes } = database.prepare('UPDATE cds_model SET csn = ?').run(JSON.stringify(model))
  if (changes !== 1)
    throw new Error('CAP no longer keeps the deployed model in one row of cds_model.')
}

/** By the service's own connection; null where CAP has deployed nothing. */
export async function readModelInUse(): Promise<DeployedModel | null> {
  const tables = (await cds.run(IS_THERE)) as unknown[]
  if (!tables.length) return null
  const [row] = (await cds.run(READ)) as { csn: unknown }[]
  return parseModel(row)
}

function parseModel(row: { csn?: unknown } | undefined): DeployedModel | null {
  if (!row) return null
  const model = JSON.parse(String(row.csn)) as Partial<DeployedModel>
  const { definitions } = model
  if (!definitions) throw new Error('CAP no longer keeps definitions in cds_model.')
  return { ...model, definitions }
}
