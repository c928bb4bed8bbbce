// Terms of each pair. Later reads take the products of which anything was changed, and all where terms were deleted.
import type { Page, Stream } from '../adapter.ts'
import type { Batch } from '../rows/pages.ts'
import { addPair, addStocked, type Pairs, type Quantities } from './pairs.ts'
import type { ModelReader } from './reader.ts'
import { haveLost, listsIn, readLists, type WatchedList } from './watched.ts'

/** Products whose terms are read at once; each may be at several locations. */
const CHUNK = 500

export interface PlannedPairs {
  reader: ModelReader
  /** The terms, of which deleted ones are missed. */
  lists: readonly WatchedList[]
  /** With moves that were changed since; null for those of the whole history. */
  pairs(since: number | null, signal: AbortSignal): Promise<Pairs>
  pairsOf(products: readonly number[], signal: AbortSignal): Promise<Pairs>
  quantities(signal: AbortSignal): Promise<Quantities>
  /** The products of which anything that decides about their terms was changed. */
  changedProducts(since: number, signal: AbortSignal): Promise<number[]>
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
      const pairs = isWhole
        ? await allPairs(source, signal)
        : await changedPairs(source, before.from, signal)
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

type PairReads = Pick<PlannedPairs, 'pairs' | 'pairsOf' | 'quantities' | 'changedProducts'>

async function allPairs(source: PairReads, signal: AbortSignal): Promise<Pairs> {
  const pairs = await source.pairs(null, signal)
  addStocked(pairs, await source.quantities(signal))
  return pairs
}

async function changedPairs(source: PairReads, from: number, signal: AbortSignal): Promise<Pairs> {
  const products = await source.changedProducts(from, signal)
  const pairs = await source.pairsOf(products, signal)
  addStocked(pairs, await source.quantities(signal), products)
  for (const [product, places] of await source.pairs(from, signal)) {
    for (const location of places) addPair(pairs, product, location)
  }
  return pairs
}
