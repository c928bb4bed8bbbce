// Terms of each pair of a product and a warehouse.
import type { Stream } from '../adapter.ts'
import { type ModelRow, readRowsOf } from '../rpc/reader.ts'
import { planningStream as pairStream } from '../rpc/planning-stream.ts'
import { addRecord, type Batch } from '../rows/pages.ts'
import type { ProductRow } from './entities.ts'
import { pairLists } from './pairs.ts'
import { PRODUCT_TIMES, PRODUCTS } from './products.ts'
import type { Pairs } from '../rpc/pairs.ts'
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
  pairStream(system, {
    lists: LISTS,
    pairLists: (signal) => pairLists(system, signal),
    termLists: () => TERMS,
    compose: (products, pairs, signal) => composeSome(system, products, pairs, signal),
  })

interface SupplierRow extends ModelRow {
  template: number | null
}

const TERMS = {
  products: { ...PRODUCTS, fields: ['code'], times: PRODUCT_TIMES },
  template: 'template',
  terms: {
    ...{ model: LISTS[0]!.model, domain: [], fields: ['template'] },
    times: [...LISTS[0]!.changed, ...['prices.create_date', 'prices.write_date']],
  },
  templateOf: ({ template }: SupplierRow) => template,
  pointTimes: ['create_date', 'write_date'],
}

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
