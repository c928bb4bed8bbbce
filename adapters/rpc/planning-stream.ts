// Terms of each pair. Later reads take the products of which anything was changed, and all where terms were deleted.
import type { Page, Stream } from '../adapter.ts'
import type { Batch } from '../rows/pages.ts'
import {
  addPair,
  addStocked,
  type PairLists,
  type Pairs,
  type ProductReads,
  readPairs,
  readPairsOf,
} from './pairs.ts'
import { changedSince, type ModelQuery, type ModelRow, readRows, readRowsOf } from './reader.ts'
import { haveLost, listsIn, readLists, type WatchedList } from './watched.ts'

/** Products whose terms are read at once; each may be at several locations. */
const CHUNK = 500

export interface PlannedPairs {
  /** The terms, of which deleted ones are missed. */
  lists: readonly WatchedList[]
  pairLists(signal: AbortSignal): Promise<PairLists>
  termLists(signal: AbortSignal): Promise<TermLists> | TermLists
  /** @param pairs of these products, and maybe of others */
  compose(
    products: readonly number[],
    pairs: Pairs,
    signal: AbortSignal,
  ): Promise<Batch<'planning'>>
}

/** A list with the fields that say when its rows were changed. */
type Timed = ModelQuery & { times: readonly string[] }

/** What decides about the terms of products, beside their pairs. */
interface TermLists {
  products: Timed
  /** The field of a product that holds its template. */
  template: string
  /** What suppliers ask for a template. */
  terms: Timed
  templateOf(row: ModelRow): number | null
  /** When order points were changed. */
  pointTimes: readonly string[]
}

export function planningStream(system: ProductReads, source: PlannedPairs): Stream<'planning'> {
  const { client } = system
  const allPairs = async (signal: AbortSignal) => {
    const pairs = await readPairs(await source.pairLists(signal), null, signal)
    addStocked(pairs, await system.quantities(signal))
    return pairs
  }
  const changedPairs = async (from: number, signal: AbortSignal) => {
    const lists = await source.pairLists(signal)
    const products = await changedProducts(lists, await source.termLists(signal), from, signal)
    const pairs = await readPairsOf(lists, products, signal)
    addStocked(pairs, await system.quantities(signal), products)
    for (const [product, places] of await readPairs(lists, from, signal)) {
      for (const location of places) addPair(pairs, product, location)
    }
    return pairs
  }
  return {
    record: 'planning',
    cursor: 'changedAt',
    isRequired: false,
    async *read(since, signal) {
      signal.throwIfAborted()
      const before = listsIn(since)
      const now = await readLists(client, source.lists, signal)
      const isWhole = !before || (await haveLost(client, source.lists, before, signal))
      const pairs = isWhole ? await allPairs(signal) : await changedPairs(before.from, signal)
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

/** The products of which anything that decides about their terms was changed. */
async function changedProducts(
  { reader, points, ofPoint }: PairLists,
  { products, template, terms, templateOf, pointTimes }: TermLists,
  from: number,
  signal: AbortSignal,
): Promise<number[]> {
  const changed = ({ times, ...query }: Timed) => {
    const domain = [...query.domain, ...changedSince(reader, times, from)]
    return readRows(reader, { ...query, domain }, signal)
  }
  const [own, bought, pointed] = await Promise.all([
    changed(products),
    changed(terms),
    changed({ ...points, domain: [], times: pointTimes }),
  ])
  const templates = bought.flatMap((row) => templateOf(row) ?? [])
  const ofTemplates = await readRowsOf(reader, products, template, templates, signal)
  const numbers = [...own, ...ofTemplates].map(({ id }) => id)
  return [...new Set([...numbers, ...pointed.flatMap((row) => ofPoint(row).product ?? [])])]
}
