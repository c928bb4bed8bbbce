import type { Stream } from '../adapter.ts'
import { changedStream } from '../rpc/changed-stream.ts'
import { changedSince } from '../rpc/changes.ts'
import { addRecords } from '../rows/quarantine.ts'
import type { Batch } from '../rows/quarantine.ts'
import { snapshotStream } from '../rows/snapshot.ts'
import type { SnapshotPage } from '../rows/snapshot.ts'
import type { ProductRow } from './entities.ts'
import { demandStream, readCustomerOrders, readOpenOrders, receiptStream } from './moves.ts'
import { planningStream } from './planning.ts'
import { priceBreakStream } from './price-breaks.ts'
import { PRODUCT_TIMES, PRODUCTS } from './products.ts'
import { readStock } from './stock.ts'
import { supplierStream } from './suppliers.ts'
import type { System } from './system.ts'
import { toLocation } from './to-location.ts'
import { toSku } from './to-sku.ts'

export const streamsOf = (system: System): Stream[] => [
  snapshotStream('locations', (signal) => readLocations(system, signal)),
  supplierStream(system),
  skuStream(system),
  planningStream(system),
  priceBreakStream(system),
  snapshotStream('stock', (signal, known) => readStock(system, signal, known)),
  snapshotStream('openOrders', (signal) => readOpenOrders(system, signal)),
  snapshotStream('customerOrders', (signal) => readCustomerOrders(system, signal), {
    isOptional: true,
  }),
  receiptStream(system),
  demandStream(system),
]

async function* readLocations(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'locations'>> {
  const { warehouses } = await system.places(signal)
  const done = warehouses.length
  const page: SnapshotPage<'locations'> = { records: [], quarantined: [], done, total: done }
  const timeZone = await system.timeZone(signal)
  addRecords(
    page,
    warehouses,
    (warehouse) => toLocation(warehouse, timeZone),
    ({ id }) => `stock.location(${id})`,
  )
  yield page
}

function skuStream(system: System): Stream<'skus'> {
  const owners = new Map<string, number>()
  return changedStream<'skus', ProductRow>(
    'skus',
    {
      reader: system.client,
      query: async () => PRODUCTS,
      changedSince: (from) => changedSince(system.client, PRODUCT_TIMES, from),
      async compose(rows, signal) {
        const batch: Batch<'skus'> = { records: [], quarantined: [] }
        const currency = await system.currency(signal)
        addRecords(
          batch,
          rows,
          (row) => toSku(row, currency, owners),
          ({ id }) => `product.product(${id})`,
        )
        return batch
      },
    },
    { isRequired: true },
  )
}
