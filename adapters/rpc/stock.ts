import type { RecordOf } from '../records.ts'
import type { Exact } from '../rows/decimals.ts'
import { addRecord, type Known, pagesOf, type SnapshotPage, stateIn } from '../rows/pages.ts'
import { codeOf, mapAbout, numberOf } from '../rows/values.ts'
import { OVERLAP_MS } from './changed-stream.ts'
import type { Pairs, Quantities } from './pairs.ts'
import { type ModelQuery, type ModelReader, type ModelRow, readPages } from './reader.ts'

/** The cursor. */
interface State {
  /** Moves that were changed since are looked at for pairs that are new. */
  from: number
}

export interface StockSource<Row extends ModelRow> {
  reader: ModelReader
  /** Pairs with moves that were changed since; null for those of the whole history. */
  pairs(since: number | null, signal: AbortSignal): Promise<Pairs>
  quantities(signal: AbortSignal): Promise<Quantities>
  products(signal: AbortSignal): Promise<ModelQuery>
  skuOf(row: Row): string | null
}

/** Every pair that has stock or had moves; ERPs keep nothing of what is sold out. */
export async function* readStock<Row extends ModelRow>(
  source: StockSource<Row>,
  signal: AbortSignal,
  { since, stored }: Known,
): AsyncGenerator<SnapshotPage<'stock'>> {
  const { reader } = source
  const before = stateIn<State>(since, ({ from }) => from !== undefined)
  const cursor = JSON.stringify({ from: (await reader.now(signal)) - OVERLAP_MS })
  const pairs = await source.pairs(before?.from ?? null, signal)
  const known = Map.groupBy((before && (await stored?.())) || [], ({ sku }) => sku!)
  const quantities = await source.quantities(signal)
  const products = readPages<Row>(reader, await source.products(signal), signal)
  yield* pagesOf<'stock', Row>(products, (page, rows) => {
    page.cursor = cursor
    for (const row of rows) {
      const sku = source.skuOf(row)
      if (!sku) continue
      const own = quantities.get(row.id)
      const places = new Set([
        ...(own?.keys() ?? []),
        ...(pairs.get(row.id) ?? []),
        ...(known.get(sku) ?? []).map(({ location }) => location!),
      ])
      for (const location of places) {
        const pair = { sku, location, quantity: own?.get(location) ?? 0n }
        addRecord(page, pair, toStock, () => `product.product(${row.id}) ${location}`)
      }
    }
  })
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
