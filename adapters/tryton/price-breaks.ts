// What a unit costs in orders from a quantity on, of the supplier whose terms count.
import { readPages } from '../rpc/reader.ts'
import { watchedStream } from '../rpc/watched.ts'
import { addRecord, type SnapshotPage, pagesOf } from '../rows/pages.ts'
import type { ProductRow } from './entities.ts'
import { PRODUCT_TIMES, PRODUCTS } from './products.ts'
import { GOODS } from './places.ts'
import type { System } from './system.ts'
import { readTerms } from './terms.ts'
import { toPriceBreak } from './to-planning.ts'

const TIMES = ['create_date', 'write_date']

export const priceBreakStream = (system: System) =>
  watchedStream(
    'priceBreaks',
    system.client,
    [
      { model: 'purchase.product_supplier', changed: TIMES },
      { model: 'purchase.product_supplier.price', changed: TIMES },
      { model: PRODUCTS.model, changed: PRODUCT_TIMES.slice(0, 4), domain: [GOODS] },
    ],
    (signal) => readPriceBreaks(system, signal),
  )

async function* readPriceBreaks(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'priceBreaks'>> {
  const products = readPages<ProductRow>(system.client, PRODUCTS, signal)
  yield* pagesOf<'priceBreaks', ProductRow>(products, async (page, rows) => {
    const [terms, catalogue] = await Promise.all([
      readTerms(system, rows, signal),
      system.catalogue(signal),
    ])
    for (const row of rows) {
      const found = terms.get(row.id)
      const sku = catalogue.skuOf(row.id)
      if (sku === null || !found) continue
      // The first price is the unit cost of the planning record.
      for (const price of found.prices.slice(1)) {
        const map = () => toPriceBreak(row, sku, found, price)
        addRecord(page, price, map, ({ id }) => `purchase.product_supplier.price(${id})`)
      }
    }
  })
}
