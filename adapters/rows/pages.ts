// Quarantines rows that cannot be stored, with their location, field and reason.
import type { Cursor, Page, StoredKeys, Stream } from '../adapter.ts'
import type { QuarantinedRow } from '../errors.ts'
import type { RecordKind, RecordOf } from '../records.ts'
import { toNumber } from './decimals.ts'
import { BadValue, orBad, type Problem, problemOf, truncateText } from './values.ts'

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

/**
 * What a row may say besides, such as a price. Where its value is bad there is nothing, and a rejected row says so: without
 * a pair, since the rest of the row counts.
 */
export function ifGoodOrNoted<T extends object>(
  batch: Pick<Page, 'quarantined'>,
  row: unknown,
  place: string,
  find: () => T,
): T | Record<never, never> {
  const found = orBad(find)
  if (!(found instanceof BadValue)) return found
  batch.quarantined.push(toQuarantinedRow(place, row, found))
  return {}
}

/** The batch of some rows. */
export function batchOf<K extends RecordKind, Row>(
  rows: Iterable<Row>,
  map: (row: Row) => RecordOf<K> | null,
  placeOf: (row: Row) => string,
): Batch<K> {
  const batch: Batch<K> = { records: [], quarantined: [] }
  addRecords(batch, rows, map, placeOf)
  return batch
}

/** @param row text as it was read, or an object that is shown as JSON */
export function toQuarantinedRow(place: string, row: unknown, problem: Problem): QuarantinedRow {
  const { code, target, message, about } = problem
  const excerpt = textOf(row)
  return { code, place: truncateText(place, PLACE_LENGTH), target, message, excerpt, ...about }
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

/** Starts work that is awaited later, without an unhandled rejection if it is never awaited. */
export function startWithoutWaiting<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {})
  return work
}

/**
 * Fetches the next page while the current one is being stored; at most one page ahead.
 * @param open starts the read; its signal is aborted when the consumer stops
 */
export async function* readAhead<T>(
  open: (signal: AbortSignal) => AsyncIterator<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const ended = new AbortController()
  const pages = open(AbortSignal.any([signal, ended.signal]))
  const askNext = () => startWithoutWaiting(pages.next())
  let next = askNext()
  try {
    for (;;) {
      const page = await next
      if (page.done) return
      next = askNext()
      yield page.value
    }
  } finally {
    ended.abort(new Error('The reading was ended.'))
  }
}

/** A page of a snapshot: records and progress. */
export interface SnapshotPage<K extends RecordKind> extends Batch<K> {
  /** Rows read so far, and all rows; null where the ERP does not say. */
  done: number
  total: number | null
  /** The cursor of the whole read, on any of its pages. */
  cursor?: Cursor
  kept?: Page['kept']
  notes?: string[]
}

/** A page of a snapshot for each page of rows. @param fill adds what becomes of the rows */
export async function* pagesOf<K extends RecordKind, Row>(
  found: AsyncIterable<{ rows: Row[]; total?: number | null }>,
  fill: (page: SnapshotPage<K>, rows: Row[]) => Promise<void> | void,
): AsyncGenerator<SnapshotPage<K>> {
  let [done, total]: [number, number | null] = [0, null]
  for await (const { rows, total: all = null } of found) {
    done += rows.length
    total ??= all
    const page: SnapshotPage<K> = { records: [], quarantined: [], done, total }
    await fill(page, rows)
    yield page
  }
}

/** What was known before a read. */
export interface Known {
  /** The cursor of the last read; null in a full read. */
  since: Cursor | null
  stored?: StoredKeys | undefined
}

const PARTIAL = 'partial'
const WHOLE = 'whole'

/**
 * A stream that delivers all its records each time, for rows without a timestamp of their last change.
 *
 * @example snapshotStream('stock', (signal) => readStock(http, signal))
 */
export function snapshotStream<K extends RecordKind>(
  record: K,
  read: (signal: AbortSignal, known: Known) => AsyncGenerator<SnapshotPage<K>>,
  { isRequired = false, isOptional = false } = {},
): Stream<K> {
  return {
    record,
    cursor: 'snapshot',
    isRequired,
    isOptional,
    isAlwaysRead: true,
    async *read(since, signal, stored) {
      signal.throwIfAborted()
      let progress: Page['progress'] = { done: 0, total: 0, unit: 'rows' }
      let whole: Cursor = WHOLE
      const open = (inner: AbortSignal) => read(inner, { since, stored })
      for await (const { records, quarantined, done, total, cursor, kept, notes } of readAhead(
        open,
        signal,
      )) {
        signal.throwIfAborted()
        progress = progressOf({ done, total })
        whole = cursor ?? whole
        const more = { ...(kept && { kept }), ...(notes && { notes }) }
        yield { records, quarantined, cursor: PARTIAL, progress, ...more }
      }
      signal.throwIfAborted()
      yield { records: [], quarantined: [], cursor: whole, progress }
    },
  }
}

/**
 * The state in a cursor; null where there is none: in a full read, after an interrupted one, or in the cursor of
 * another version. @param isState whether the parsed cursor is one of this version
 */
export function stateIn<S>(
  since: Cursor | null,
  isState: (found: Partial<S>) => boolean,
): S | null {
  if (!since?.startsWith('{')) return null
  try {
    const found = JSON.parse(since) as Partial<S>
    return isState(found) ? (found as S) : null
  } catch {
    return null
  }
}

/** The total is raised if more rows were read than the ERP counted, because rows were added meanwhile. */
export const progressOf = ({ done, total }: { done: number; total: number | null }) => ({
  done,
  total: total === null ? null : Math.max(total, done),
  unit: 'rows' as const,
})
