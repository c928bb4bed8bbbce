// Quarantines rows that cannot be stored, with their location, field and reason.
import type { Page } from '../adapter.ts'
import type { QuarantinedRow } from '../errors.ts'
import type { RecordKind, RecordOf } from '../records.ts'
import type { Problem } from './bad-value.ts'
import { problemOf } from './bad-value.ts'
import { toNumber } from './decimals.ts'
import { truncateText } from './text.ts'

const PLACE_LENGTH = 200
const EXCERPT_LENGTH = 500

/** Records, and the rows that could not be mapped to one. */
export type Batch<K extends RecordKind> = Pick<Page<K>, 'records' | 'quarantined'>

/**
 * Maps a row and adds the record to the batch; a row with a bad value is quarantined.
 * @param map returns null to skip the row; throws `BadValue`
 * @param placeOf location of the row, e.g. `A_Product('X')`
 * @param excerptOf the part of the row that an admin sees; the whole row unless given
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

/** {@link addRecord} for several rows. */
export function addRecords<K extends RecordKind, Row>(
  batch: Batch<K>,
  rows: Iterable<Row>,
  map: (row: Row) => RecordOf<K> | null,
  placeOf: (row: Row) => string,
  excerptOf?: (row: Row) => unknown,
): void {
  for (const row of rows) addRecord(batch, row, map, placeOf, excerptOf)
}

/** @param row text as it was read, or an object that is shown as JSON */
export function toQuarantinedRow(place: string, row: unknown, problem: Problem): QuarantinedRow {
  const { code, target, message, about } = problem
  const excerpt = textOf(row)
  return { code, place: place.slice(0, PLACE_LENGTH), target, message, excerpt, ...about }
}

function textOf(row: unknown): string {
  // Databases refuse NUL in text; JSON escapes it.
  const text =
    typeof row === 'string'
      ? row.trimEnd().replaceAll('\0', '\ufffd')
      : JSON.stringify(row, withoutMetadata).replaceAll('\\u0000', '\ufffd')
  return truncateText(text, EXCERPT_LENGTH)
}

/** Leaves out V2's `__metadata`, which would fill the excerpt; writes bigint as text for JSON. */
function withoutMetadata(name: string, value: unknown): unknown {
  if (name === '__metadata') return undefined
  return typeof value === 'bigint' ? toNumber(value) : value
}
