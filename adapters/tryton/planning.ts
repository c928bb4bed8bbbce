// Terms of each pair of a product and a warehouse.
import type { Stream } from '../adapter.ts'
import type { ModelRow, Pairs } from '../rpc/reader.ts'
import { addPair, changedSince, readRows, readRowsOf } from '../rpc/reader.ts'
import { planningStream as pairStream } from '../rpc/planning-stream.ts'
import { addRecord, type Batch } from '../rows/pages.ts'
import type { OrderPointRow, ProductRow } from './entities.ts'
import { PRODUCT_TIMES, PRODUCTS, readPairs, readPairsOf } from './pairs.ts'
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
    all: (signal) => readAllPairs(system, signal),
    changedSince: ({ from }, signal) => readChangedPairs(system, from, signal),
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
  const terms = await readTerms(system, rows, signal)
  for (const row of rows) {
    if (!row.code) continue
    for (const location of pairs.get(row.id) ?? []) {
      const place = () => `product.product(${row.id}) ${location}`
      addRecord(batch, row, () => toPlanning(row, location, terms.get(row.id)), place)
    }
  }
  return batch
}

async function readAllPairs(system: System, signal: AbortSignal): Promise<Pairs> {
  const pairs = await readPairs(system, null, signal)
  await addStocked(system, pairs, null, signal)
  return pairs
}

async function addStocked(
  system: System,
  pairs: Pairs,
  products: readonly number[] | null,
  signal: AbortSignal,
) {
  const quantities = await system.quantities(signal)
  for (const product of products ?? quantities.keys()) {
    for (const location of quantities.get(product)?.keys() ?? []) addPair(pairs, product, location)
  }
}

async function readChangedPairs(system: System, from: number, signal: AbortSignal): Promise<Pairs> {
  const products = await readChangedProducts(system, from, signal)
  const pairs = await readPairsOf(system, products, signal)
  await addStocked(system, pairs, products, signal)
  for (const [product, places] of await readPairs(system, from, signal)) {
    for (const place of places) addPair(pairs, product, place)
  }
  return pairs
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
