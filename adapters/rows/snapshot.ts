import type { Cursor, Page, StoredKeys, Stream } from '../adapter.ts'
import type { RecordKind } from '../records.ts'
import type { Batch } from './quarantine.ts'
import { readAhead } from './read-ahead.ts'

/** A page of a snapshot: records and progress. */
export interface SnapshotPage<K extends RecordKind> extends Batch<K> {
  /** Rows read so far, and all rows; null where the ERP does not say. */
  done: number
  total: number | null
  /** The cursor of the whole read, on any of its pages. */
  cursor?: Cursor
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
      for await (const { records, quarantined, done, total, cursor } of readAhead(open, signal)) {
        signal.throwIfAborted()
        progress = progressOf({ done, total })
        whole = cursor ?? whole
        yield { records, quarantined, cursor: PARTIAL, progress }
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
