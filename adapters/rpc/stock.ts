import type { RecordOf } from '../records.ts'
import type { Exact } from '../rows/decimals.ts'
import { addRecord, type Known, type SnapshotPage, stateIn } from '../rows/pages.ts'
import { codeOf, mapAbout, numberOf } from '../rows/values.ts'
import { OVERLAP_MS } from './changed-stream.ts'
import { type PairLists, type ProductReads, readPairs } from './pairs.ts'

/** The cursor. */
interface State {
  /** Moves that were changed since are looked at for pairs that are new. */
  from: number
}

/** Products whose stock makes a page; each may be at several locations. */
const CHUNK = 1_000

/** Every pair that has stock or had moves; ERPs keep nothing of what is sold out. */
export async function* readStock(
  system: ProductReads,
  lists: PairLists,
  signal: AbortSignal,
  { since, stored }: Known,
): AsyncGenerator<SnapshotPage<'stock'>> {
  const before = stateIn<State>(since, ({ from }) => from !== undefined)
  const cursor = JSON.stringify({ from: (await system.client.now(signal)) - OVERLAP_MS })
  const pairs = await readPairs(lists, before?.from ?? null, signal)
  const known = Map.groupBy((before && (await stored?.())) || [], ({ sku }) => sku!)
  const quantities = await system.quantities(signal)
  const catalogue = await system.catalogue(signal)
  const { products } = catalogue
  for (let at = 0; at < Math.max(1, products.length); at += CHUNK) {
    const some = products.slice(at, at + CHUNK)
    const done = at + some.length
    const page: SnapshotPage<'stock'> = {
      ...{ records: [], quarantined: [], cursor },
      ...{ done, total: products.length },
    }
    for (const product of some) {
      const sku = catalogue.skuOf(product)
      if (sku === null) continue
      const own = quantities.get(product)
      const places = new Set([
        ...(own?.keys() ?? []),
        ...(pairs.get(product) ?? []),
        ...(known.get(sku) ?? []).map(({ location }) => location!),
      ])
      for (const location of places) {
        const pair = { sku, location, quantity: own?.get(location) ?? 0n }
        addRecord(page, pair, toStock, () => `product.product(${product}) ${location}`)
      }
    }
    yield page
  }
}

interface PairQuantity {
  sku: string
  location: string
  quantity: Exact
}

const toStock = ({ sku, location, quantity }: PairQuantity): RecordOf<'stock'> =>
  mapAbout(sku, location, () => ({
    sku: codeOf(sku, 'code'),
    location: codeOf(location, 'code'),
    onHand: quantity > 0n ? numberOf(quantity, 'quantity') : 0,
    backorders: quantity < 0n ? numberOf(-quantity, 'quantity') : 0,
  }))
