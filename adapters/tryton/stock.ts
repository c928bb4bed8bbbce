import { OVERLAP_MS } from '../rpc/changed-stream.ts'
import { readPages } from '../rpc/reader.ts'
import { addRecord, type Known, type SnapshotPage, stateIn } from '../rows/pages.ts'
import type { ProductRow } from './entities.ts'
import { readPairs } from './pairs.ts'
import { GOODS } from './places.ts'
import type { System } from './system.ts'
import { toStock } from './to-stock.ts'

interface State {
  /** Moves that were changed since are looked at for pairs that are new. */
  from: number
}

/** Every pair that has stock or ever had moves; what it has is computed by Tryton. */
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
  const query = { model: 'product.product', domain: [GOODS], fields: ['code'] }
  let done = 0
  for await (const { rows } of readPages<ProductRow>(system.client, query, signal)) {
    done += rows.length
    const page: SnapshotPage<'stock'> = {
      ...{ records: [], quarantined: [], done, total: null, cursor },
    }
    for (const { id, code } of rows) {
      if (!code) continue
      const own = quantities.get(id)
      const places = new Set([
        ...(own?.keys() ?? []),
        ...(pairs.get(id) ?? []),
        ...(known.get(code) ?? []).map(({ location }) => location!),
      ])
      for (const location of places) {
        const row = { sku: code, location, quantity: own?.get(location) ?? 0n }
        addRecord(page, row, toStock, () => `product.product(${id}) ${location}`)
      }
    }
    yield page
  }
}
