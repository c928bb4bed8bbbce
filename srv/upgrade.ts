// CAP adds what is new to a SQLite database but refuses to drop what the model no longer has.
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** Views stand before the tables that they read. */
const RETIRED = [
  'restock.PlaceableReversals',
  'restock.PendingReversals',
  'restock.Demand',
  'restock.ScheduledRuns',
]

/** Drops what the service once had, and what CAP remembers of it; demand is read again by the next sync. */
export function dropRetired(file: string) {
  if (!existsSync(file)) return
  const database = new DatabaseSync(file)
  try {
    const model = rememberedModel(database)
    const retired = RETIRED.filter((name) => model && name in model.definitions)
    if (!retired.length) return
    database.exec('BEGIN IMMEDIATE')
    for (const name of retired) {
      drop(database, name.replace('.', '_'))
      delete model!.definitions[name]
    }
    database.prepare('UPDATE cds_model SET csn = ?').run(JSON.stringify(model))
    database.exec('COMMIT')
  } finally {
    database.close()
  }
}

interface Model {
  definitions: Record<string, unknown>
}

function rememberedModel(database: DatabaseSync): Model | null {
  if (!typeOf(database, 'cds_model')) return null
  const row = database.prepare('SELECT csn FROM cds_model').get()
  return row ? JSON.parse(String(row.csn)) : null
}

const typeOf = (database: DatabaseSync, name: string) =>
  database.prepare('SELECT type FROM sqlite_master WHERE name = ?').get(name)?.type

function drop(database: DatabaseSync, name: string) {
  const type = typeOf(database, name)
  if (type) database.exec(`DROP ${type} ${name}`)
}
