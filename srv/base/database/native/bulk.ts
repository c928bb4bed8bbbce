// Rows of many columns. CAP's INSERT looks up each column of each row in JSON: on SQLite a prepared statement takes a fifth
// of the time (bench/proposals), on PostgreSQL rows that are taken apart once a tenth (bench/databases).
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite'
import cds from '@sap/cds'
import { driverConnection, plainSql, prepareStatement } from '../../cap/connection.ts'
import { inTransaction } from '../../cap/context.ts'
import type { AnyRow } from '../entities.ts'

/**
 * Inserts rows in the present transaction. Columns have their database names and hold what is stored but for booleans and
 * lists; a column that a row lacks is null, or its default where no row has it.
 * @param entity its name in the model, which is its table's with dots for underscores
 */
export async function insertRows(entity: string, rows: readonly object[]): Promise<void> {
  if (!rows.length) return
  if (cds.db.kind === 'sqlite') await writeRows(entity, rows)
  else if (cds.db.kind === 'postgres') await writeJson(entity, rows)
  else await INSERT.into(entity).entries(...rows)
}

/**
 * Inserts rows, or updates all columns except the key of those that exist.
 * @param key the columns of the entity's key; no two rows have the same one
 */
export async function upsertRows(
  entity: string,
  key: readonly string[],
  rows: readonly object[],
): Promise<void> {
  if (!rows.length) return
  if (cds.db.kind === 'sqlite') await writeRows(entity, rows, key)
  else if (cds.db.kind === 'postgres') await writeJson(entity, rows, key)
  else await UPSERT.into(entity).entries(...rows)
}

const tableOf = (entity: string) => entity.replaceAll('.', '_')

const columnsOf = (rows: readonly object[]) => [...new Set(rows.flatMap((row) => Object.keys(row)))]

/** Of rows that exist all but the key is set anew. */
function onConflict(key: readonly string[] | undefined, columns: readonly string[]): string {
  if (!key) return ''
  const anew = columns.flatMap((column) =>
    key.includes(column) ? [] : [`${column} = excluded.${column}`],
  )
  return `ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${anew.join(', ')}`
}

interface PostgresClient {
  query(sql: string, values: unknown[]): Promise<unknown>
}

/** Rows of one statement: its parameter is a text, which V8 and PostgreSQL hold as a whole. */
const JSON_ROWS = 2_000

async function writeJson(
  entity: string,
  rows: readonly object[],
  key?: readonly string[],
): Promise<void> {
  const [table, columns] = [tableOf(entity), columnsOf(rows)]
  const names = columns.join(', ')
  const client = await driverConnection<PostgresClient>()
  for (let at = 0; at < rows.length; at += JSON_ROWS) {
    const part = rows.slice(at, at + JSON_ROWS) as AnyRow[]
    // Columns are named in lower case, as PostgreSQL does with names without quotes.
    const json = part.map((row) =>
      Object.fromEntries(columns.map((column) => [column.toLowerCase(), flat(row[column])])),
    )
    await client.query(
      `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${table}, $1::json)
      ${onConflict(key, columns)}`,
      [JSON.stringify(json)],
    )
  }
}

/** A value in a row of JSON: lists are stored as their JSON. */
function flat(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !(value instanceof Date)
    ? JSON.stringify(value)
    : value
}

async function writeRows(
  entity: string,
  rows: readonly object[],
  key?: readonly string[],
): Promise<void> {
  const columns = columnsOf(rows)
  const write = keptStatement(
    await driverConnection<DatabaseSync>(),
    `INSERT INTO ${tableOf(entity)} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
    ${onConflict(key, columns)}`,
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

// Rows of many or long columns. On SQLite CAP has the database make JSON of each row, a column at a time, and parses it:
// that takes several times as long as the read itself (bench/proposals).

/**
 * The rows of a query for columns of an entity, as CAP answers it; but on SQLite whole numbers are no texts.
 * @param entity its name in the model
 */
export async function selectRows<T>(entity: string, query: PromiseLike<unknown> & object) {
  if (cds.db.kind !== 'sqlite') return (await query) as T[]
  const rows = await inTransaction(() => selectPlain(entity, query))
  return (rows ?? (await query)) as T[]
}

/** Null where a number is larger than the driver can read. */
async function selectPlain(entity: string, query: object): Promise<AnyRow[] | null> {
  const { sql, values = [] } = plainSql(query)
  const connection = await driverConnection<DatabaseSync>()
  const statement = prepareStatement<SQLOutputValue[]>(connection, sql)
  const columns = statement
    .columns()
    .map(({ name }) => ({ name, convert: conversion(entity, name) }))
  // The driver's objects are as slow to read as to make.
  statement.setReturnArrays(true)
  try {
    return statement.all(...values).map((row) => toObject(columns, row))
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_OUT_OF_RANGE') return null
    throw error
  }
}

interface Column {
  name: string
  convert: ((value: SQLOutputValue) => unknown) | null
}

function toObject(columns: Column[], values: SQLOutputValue[]): AnyRow {
  const row: AnyRow = {}
  for (const [at, { name, convert }] of columns.entries()) {
    const value = values[at]!
    row[name] = convert && value !== null ? convert(value) : value
  }
  return row
}

/** Elements of the model: lists have `items`, decimals a `scale`. */
type Elements = Record<string, { items?: object; scale?: number }>

function conversion(entity: string, column: string): Column['convert'] {
  const { elements } = cds.model!.definitions[entity] as object as { elements: Elements }
  const element = elements[column]!
  const { items, scale } = element
  if (items) return (value) => JSON.parse(String(value)) as unknown
  if (scale !== undefined) return (value) => Number(value).toFixed(scale)
  return element instanceof cds.builtin.classes.Boolean ? Boolean : null
}
