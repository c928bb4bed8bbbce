// Before CAP deploys to a SQLite file: drops what the model no longer has, which CAP refuses to.
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { readDeployedModel, writeDeployedModel } from '../cap/deployed-model.ts'
import { DROPPED, DROPPED_COLUMNS } from './steps.ts'

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
