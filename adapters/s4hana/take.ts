import type { Skipped } from '../errors.ts'
import type { RecordKind, RecordOf } from '../records.ts'
import { toNumber } from './decimals.ts'
import { BadValue } from './values.ts'

const EXCERPT_LENGTH = 500

/** Records and the rows that could not become some. */
export interface Taken<K extends RecordKind> {
  records: RecordOf<K>[]
  skipped: Skipped[]
}

/**
 * Adds what a mapper makes of a row, or the row with what is wrong about it. A mapper that returns
 * null leaves a row out on purpose.
 * @param place where the row stands, e.g. `A_Product('X')`
 */
export function take<K extends RecordKind>(
  into: Taken<K>,
  place: () => string,
  row: unknown,
  map: () => RecordOf<K> | null,
): void {
  try {
    const record = map()
    if (record) into.records.push(record)
  } catch (error) {
    if (!(error instanceof BadValue)) throw error
    into.skipped.push(skippedRow(place(), row, error))
  }
}

export function skippedRow(place: string, row: unknown, problem: BadValue): Skipped {
  const { code, target, message } = problem
  return { code, place: place.slice(0, 200), target, message, excerpt: excerptOf(row) }
}

/** Without the ERP's own addresses, which fill it for nothing; databases refuse a NUL in text. */
function excerptOf(row: unknown): string {
  const text = JSON.stringify(row, (name, value) => {
    if (name === '__metadata') return undefined
    return typeof value === 'bigint' ? toNumber(value) : value
  })
  return text.replaceAll('\\u0000', '\ufffd').slice(0, EXCERPT_LENGTH)
}
