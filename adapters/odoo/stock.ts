import { OVERLAP_MS } from '../rpc/changed-stream.ts'
import { readPages } from '../rpc/reader.ts'
import { addRecord, type Known, type SnapshotPage, stateIn } from '../rows/pages.ts'
import type { ProductRow } from './entities.ts'
import { productQuery, readPairs } from './pairs.ts'
import type { System } from './system.ts'
import { toStock } from './to-stock.ts'

interface State {
  /** Moves that were changed since are looked at for pairs that are new. */
  from: number
}

/** Every pair that has stock or had moves; Odoo keeps no quant of what is sold out. */
export async function* readStock(
  system: System,
  signal: AbortSignal,
  { since, stored }: Known,
): AsyncGenerator<SnapshotPage<'stock'>> {
  const before = stateIn<State>(since, ({ from }) => from !== undefined)
  const cursor = JSON.stringify({ from: (await system.client.now(signal)) - OVERLAP_MS })
  const pairs = await readPairs(system, before?.from ?? null, signal)
  const known = Map.groupBy((before && (await stored?.())) || [], ({ sku }) => sku!)
  const quantities = await system.quantities(signal)
  const query = { ...(await productQuery(system, signal)), fields: ['default_code', 'barcode'] }
  let done = 0
  for await (const { rows } of readPages<ProductRow>(system.client, query, signal)) {
    done += rows.length
    const page: SnapshotPage<'stock'> = {
      ...{ records: [], quarantined: [], done, total: null, cursor },
    }
    for (const row of rows) {
      const sku = system.skuOf(row)
      if (sku === null) continue
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
    yield page
  }
}
