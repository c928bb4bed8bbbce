// Rows of many columns. On SQLite a prepared statement takes a fifth of the time of CAP's INSERT, which looks up each
// column of each row in JSON (bench/proposals).
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import cds from '@sap/cds'
import { driverConnection, prepareStatement } from '../../cap/connection.ts'
import type { AnyRow } from '../entities.ts'

/**
 * Inserts rows in the present transaction. Columns have their database names and hold what is stored but for booleans and
 * lists; a column that a row lacks is null, or its default where no row has it.
 * @param entity its name in the model, which is its table's with dots for underscores
 */
export async function insertRows(entity: string, rows: readonly object[]): Promise<void> {
  if (!rows.length) return
  if (cds.db.kind === 'sqlite') await writeRows(entity, rows)
  else await INSERT.into(entity).entries(...rows)
}

/** Inserts rows, or updates all columns except the key of those that exist. */
export async function upsertRows(
  entity: string,
  key: string,
  rows: readonly object[],
): Promise<void> {
  if (!rows.length) return
  if (cds.db.kind === 'sqlite') await writeRows(entity, rows, key)
  else await UPSERT.into(entity).entries(...rows)
}

async function writeRows(entity: string, rows: readonly object[], key?: string): Promise<void> {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const anew = columns.flatMap((column) =>
    column === key ? [] : [`${column} = excluded.${column}`],
  )
  const write = keptStatement(
    await driverConnection<DatabaseSync>(),
    `INSERT INTO ${entity.replaceAll('.', '_')} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
    ${key ? `ON CONFLICT (${key}) DO UPDATE SET ${anew.join(', ')}` : ''}`,
  )
  for (const row of rows as readonly AnyRow[]) {
    write.run(...columns.map((column) => stored(row[column])))
  }
}

/** Statements by connection; there are few different ones. */
const kept = new WeakMap<DatabaseSync, Map<string, StatementSync>>()

function keptStatement(connection: DatabaseSync, sql: string): StatementSync {
  const statements = kept.get(connection) ?? new Map<string, StatementSync>()
  kept.set(connection, statements)
  const statement = statements.get(sql) ?? prepareStatement(connection, sql)
  statements.set(sql, statement)
  return statement
}

function stored(value: unknown): string | number | null {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'number') return value
  return typeof value === 'boolean' ? Number(value) : JSON.stringify(value)
}
