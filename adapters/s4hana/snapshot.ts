import type { Page, Stream } from '../adapter.ts'
import type { RecordKind } from '../records.ts'
import { ahead } from './odata/ahead.ts'
import type { Taken } from './take.ts'

/** What a reader yields: some records, and how far it is. */
export interface Chunk<K extends RecordKind> extends Taken<K> {
  /** Rows of the ERP so far, and all there are. */
  done: number
  total: number | null
}

const PARTIAL = 'partial'
const WHOLE = 'whole'

/** What carries no timestamp is read whole each time. */
export function snapshot<K extends RecordKind>(
  record: K,
  read: (signal: AbortSignal) => AsyncGenerator<Chunk<K>>,
): Stream<K> {
  return {
    record,
    cursor: 'snapshot',
    required: false,
    async *read(_since, signal) {
      signal.throwIfAborted()
      let progress: Page['progress'] = { done: 0, total: 0, unit: 'rows' }
      for await (const chunk of ahead(read, signal)) {
        signal.throwIfAborted()
        progress = progressOf(chunk)
        const { records, skipped } = chunk
        yield { records, skipped, cursor: PARTIAL, progress }
      }
      signal.throwIfAborted()
      yield { records: [], skipped: [], cursor: WHOLE, progress }
    },
  }
}

/** Rows may be added while they are read. */
export const progressOf = ({ done, total }: { done: number; total: number | null }) => ({
  done,
  total: total === null ? null : Math.max(total, done),
  unit: 'rows' as const,
})
