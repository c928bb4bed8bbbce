// Rows of many or long columns. On SQLite CAP has the database make JSON of each row, a column at a time, and parses it:
// that takes several times as long as the read itself (bench/proposals).
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite'
import cds from '@sap/cds'
import { driverConnection, plainSql, prepareStatement } from '../../cap/connection.ts'
import { inTransaction } from '../../cap/context.ts'
import type { AnyRow } from '../entities.ts'

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
