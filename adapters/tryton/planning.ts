// Terms of each pair of a product and a warehouse.
import type { Stream } from '../adapter.ts'
import { changedSince, type ModelRow, readRows, readRowsOf } from '../rpc/reader.ts'
import { planningStream as pairStream } from '../rpc/planning-stream.ts'
import { addRecord, type Batch } from '../rows/pages.ts'
import type { OrderPointRow, ProductRow } from './entities.ts'
import { pairLists } from './pairs.ts'
import { PRODUCT_TIMES, PRODUCTS } from './products.ts'
import { type Pairs, readPairs, readPairsOf } from '../rpc/pairs.ts'
import { GOODS } from './places.ts'
import type { System } from './system.ts'
import { readTerms } from './terms.ts'
import { toPlanning } from './to-planning.ts'

const LISTS = [
  {
    model: 'purchase.product_supplier',
    changed: ['create_date', 'write_date', 'party.write_date'],
  },
  {
    model: 'purchase.product_supplier.price',
    changed: ['create_date', 'write_date'],
  },
]

export const planningStream = (system: System): Stream<'planning'> =>
  pairStream({
    reader: system.client,
    lists: LISTS,
    pairs: async (since, signal) => readPairs(await pairLists(system, signal), since, signal),
    pairsOf: async (products, signal) =>
      readPairsOf(await pairLists(system, signal), products, signal),
    quantities: (signal) => system.quantities(signal),
    changedProducts: (from, signal) => readChangedProducts(system, from, signal),
    compose: (products, pairs, signal) => composeSome(system, products, pairs, signal),
  })

async function composeSome(
  system: System,
  products: readonly number[],
  pairs: Pairs,
  signal: AbortSignal,
): Promise<Batch<'planning'>> {
  const batch: Batch<'planning'> = { records: [], quarantined: [] }
  const rows = await readRowsOf<ProductRow>(system.client, PRODUCTS, 'id', products, signal)
  const [terms, catalogue] = await Promise.all([
    readTerms(system, rows, signal),
    system.catalogue(signal),
  ])
  for (const row of rows) {
    const sku = catalogue.skuOf(row.id)
    if (sku === null) continue
    for (const location of pairs.get(row.id) ?? []) {
      const place = () => `product.product(${row.id}) ${location}`
      addRecord(batch, row, () => toPlanning(row, sku, location, terms.get(row.id)), place)
    }
  }
  return batch
}

interface SupplierRow extends ModelRow {
  template: number | null
}

/** The products of which anything that decides about their terms was changed. */
async function readChangedProducts(
  system: System,
  from: number,
  signal: AbortSignal,
): Promise<number[]> {
  const { client } = system
  const since = (fields: readonly string[]) => changedSince(client, fields, from)
  const own = { ...PRODUCTS, domain: [GOODS, ...since(PRODUCT_TIMES)], fields: ['code'] }
  const supplierTimes = [...LISTS[0]!.changed, ...['prices.create_date', 'prices.write_date']]
  const suppliers = {
    model: 'purchase.product_supplier',
    domain: since(supplierTimes),
    fields: ['template'],
  }
  const points = {
    model: 'stock.order_point',
    domain: since(['create_date', 'write_date']),
    fields: ['product'],
  }
  const [products, bought, pointed] = await Promise.all([
    readRows<ModelRow>(client, own, signal),
    readRows<SupplierRow>(client, suppliers, signal),
    readRows<OrderPointRow>(client, points, signal),
  ])
  const templates = bought.flatMap(({ template }) => template ?? [])
  const ofTemplates = templates.length
    ? await readRowsOf<ModelRow>(
        client,
        { ...PRODUCTS, fields: ['code'] },
        'template',
        templates,
        signal,
      )
    : []
  const numbers = [...products, ...ofTemplates].map(({ id }) => id)
  return [...new Set([...numbers, ...pointed.map(({ product }) => product)])]
}
