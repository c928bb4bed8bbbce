// SQL on the database of the test file, while other processes work on it.
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { temporaryFolder } from './configure.ts'
import { parseJson } from './json.ts'

interface Configuration {
  requires: { db: { kind?: string; credentials: pg.ClientConfig } }
}

const { db } = parseJson<Configuration>(process.env.CDS_CONFIG!).requires

export const isSqlite = db.kind !== 'postgres'
export const sqliteFile = path.join(temporaryFolder, 'restock.sqlite')

export async function runStatement(statement: string): Promise<object[]> {
  if (isSqlite) {
    const database = new DatabaseSync(sqliteFile, { timeout: 10_000 })
    const rows = database.prepare(statement).all()
    database.close()
    return rows
  }
  const client = new pg.Client(db.credentials)
  await client.connect()
  const { rows } = await client.query<object>(statement)
  await client.end()
  return rows
}
