import type { Page, Stream } from '../adapter.ts'
import type { RecordKind } from '../records.ts'
import type { Batch } from './quarantine.ts'
import { readAhead } from './read-ahead.ts'

/** A page of a snapshot: records and progress. */
export interface SnapshotPage<K extends RecordKind> extends Batch<K> {
  /** Rows read so far, and all rows; null where the ERP does not say. */
  done: number
  total: number | null
}

const PARTIAL = 'partial'
const WHOLE = 'whole'

/**
 * A stream that is read in full each time, for rows without a timestamp of their last change.
 *
 * @example snapshotStream('stock', (signal) => readStock(http, signal))
 */
export function snapshotStream<K extends RecordKind>(
  record: K,
  read: (signal: AbortSignal) => AsyncGenerator<SnapshotPage<K>>,
  { isRequired = false } = {},
): Stream<K> {
  return {
    record,
    cursor: 'snapshot',
    isRequired,
    async *read(_since, signal) {
      signal.throwIfAborted()
      let progress: Page['progress'] = { done: 0, total: 0, unit: 'rows' }
      for await (const { records, quarantined, done, total } of readAhead(read, signal)) {
        signal.throwIfAborted()
        progress = progressOf({ done, total })
        yield { records, quarantined, cursor: PARTIAL, progress }
      }
      signal.throwIfAborted()
      yield { records: [], quarantined: [], cursor: WHOLE, progress }
    },
  }
}

/** The total is raised if more rows were read than the ERP counted, because rows were added meanwhile. */
export const progressOf = ({ done, total }: { done: number; total: number | null }) => ({
  done,
  total: total === null ? null : Math.max(total, done),
  unit: 'rows' as const,
})
