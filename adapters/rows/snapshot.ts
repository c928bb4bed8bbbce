import type { Page, Stream } from '../adapter.ts'
import type { RecordKind } from '../records.ts'
import type { Batch } from './quarantine.ts'
import { readAhead } from './read-ahead.ts'

/** What a reader yields: some records, and how far it is. */
export interface SnapshotPage<K extends RecordKind> extends Batch<K> {
  /** Rows of the ERP so far, and all there are; null where it does not say. */
  done: number
  total: number | null
}

const PARTIAL = 'partial'
const WHOLE = 'whole'

/**
 * A stream that is read whole each time, for rows that carry no instant of their last change.
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

/** The total grows with the rows that are added while they are read. */
export const progressOf = ({ done, total }: { done: number; total: number | null }) => ({
  done,
  total: total === null ? null : Math.max(total, done),
  unit: 'rows' as const,
})
