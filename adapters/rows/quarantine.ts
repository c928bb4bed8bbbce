// The one way in which a row that cannot be stored leaves a read: with its place, field and reason.
import type { Page } from '../adapter.ts'
import type { QuarantinedRow } from '../errors.ts'
import type { RecordKind, RecordOf } from '../records.ts'
import type { Problem } from './bad-value.ts'
import { problemOf } from './bad-value.ts'
import { toNumber } from './decimals.ts'
import { truncateText } from './text.ts'

const PLACE_LENGTH = 200
const EXCERPT_LENGTH = 500

/** Records, and the rows that could not become some. */
export type Batch<K extends RecordKind> = Pick<Page<K>, 'records' | 'quarantined'>

/**
 * Adds what a mapper makes of a row; a row with a bad value is added to those quarantined.
 * @param map null leaves the row out on purpose; throws `BadValue`
 * @param placeOf where the row stands, e.g. `A_Product('X')`
 * @param excerptOf what an admin is shown of the row, where that is not the row itself
 */
export function addRecord<K extends RecordKind, Row>(
  batch: Batch<K>,
  row: Row,
  map: (row: Row) => RecordOf<K> | null,
  placeOf: (row: Row) => string,
  excerptOf: (row: Row) => unknown = (itself) => itself,
): void {
  try {
    const record = map(row)
    if (record) batch.records.push(record)
  } catch (error) {
    batch.quarantined.push(toQuarantinedRow(placeOf(row), excerptOf(row), problemOf(error)))
  }
}

/** As {@link addRecord}, for each of the rows. */
export function addRecords<K extends RecordKind, Row>(
  batch: Batch<K>,
  rows: Iterable<Row>,
  map: (row: Row) => RecordOf<K> | null,
  placeOf: (row: Row) => string,
  excerptOf?: (row: Row) => unknown,
): void {
  for (const row of rows) addRecord(batch, row, map, placeOf, excerptOf)
}

/** @param row as it was read: text, or an object that is shown as JSON */
export function toQuarantinedRow(place: string, row: unknown, problem: Problem): QuarantinedRow {
  const { code, target, message } = problem
  return { code, place: place.slice(0, PLACE_LENGTH), target, message, excerpt: textOf(row) }
}

function textOf(row: unknown): string {
  // Databases refuse a NUL in text; JSON writes it as an escape.
  const text =
    typeof row === 'string'
      ? row.trimEnd().replaceAll('\0', '\ufffd')
      : JSON.stringify(row, withoutMetadata).replaceAll('\\u0000', '\ufffd')
  return truncateText(text, EXCERPT_LENGTH)
}

/** OData V2's addresses of a row would fill the excerpt, and JSON has no bigint. */
function withoutMetadata(name: string, value: unknown): unknown {
  if (name === '__metadata') return undefined
  return typeof value === 'bigint' ? toNumber(value) : value
}
