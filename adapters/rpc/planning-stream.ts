// Terms of each pair. Later reads take the products of which anything was changed, and all where terms were deleted.
import type { Page, Stream } from '../adapter.ts'
import type { Batch } from '../rows/pages.ts'
import type { ModelReader, Pairs } from './reader.ts'
import { haveLost, listsIn, type ListsState, readLists, type WatchedList } from './watched.ts'
/** Products whose terms are read at once; each may be at several locations. */
const CHUNK = 500

export interface PlannedPairs {
  reader: ModelReader
  /** The terms, of which deleted ones are missed. */
  lists: readonly WatchedList[]
  all(signal: AbortSignal): Promise<Pairs>
  changedSince(before: ListsState, signal: AbortSignal): Promise<Pairs>
  /** @param pairs of these products, and maybe of others */
  compose(
    products: readonly number[],
    pairs: Pairs,
    signal: AbortSignal,
  ): Promise<Batch<'planning'>>
}

export function planningStream({ reader, lists, ...source }: PlannedPairs): Stream<'planning'> {
  return {
    record: 'planning',
    cursor: 'changedAt',
    isRequired: false,
    async *read(since, signal) {
      signal.throwIfAborted()
      const before = listsIn(since)
      const now = await readLists(reader, lists, signal)
      const isWhole = !before || (await haveLost(reader, lists, before, signal))
      const pairs = isWhole ? await source.all(signal) : await source.changedSince(before, signal)
      const products = [...pairs.keys()]
      const progress = (done: number) => ({ done, total: products.length, unit: 'rows' as const })
      for (let at = 0; at < products.length; at += CHUNK) {
        const some = products.slice(at, at + CHUNK)
        const batch = await source.compose(some, pairs, signal)
        signal.throwIfAborted()
        yield { ...batch, cursor: since ?? 'begun', progress: progress(at + some.length) }
      }
      signal.throwIfAborted()
      const page: Page<'planning'> = {
        ...{ records: [], quarantined: [], cursor: JSON.stringify(now) },
        progress: progress(products.length),
      }
      yield page
    },
  }
}
