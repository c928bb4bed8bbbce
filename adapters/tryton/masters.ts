import type { Stream } from '../adapter.ts'
import type { Batch, SnapshotPage } from '../rows/pages.ts'
import { addRecord, addRecords, snapshotStream } from '../rows/pages.ts'
import { codeOf, nameOf } from '../rows/values.ts'
import { changedStream } from '../rpc/changed-stream.ts'
import { changedSince, readPages } from '../rpc/reader.ts'
import { watchedStream } from '../rpc/watched.ts'
import type { ProductRow, ProductSupplierRow } from './entities.ts'
import { demandStream, readCustomerOrders, readOpenOrders, receiptStream } from './moves.ts'
import { PRODUCT_TIMES, PRODUCTS } from './pairs.ts'
import { planningStream } from './planning.ts'
import { priceBreakStream } from './price-breaks.ts'
import { readStock } from './stock.ts'
import type { System } from './system.ts'
import { toLocation, toSku } from './to-sku.ts'

const LIST = {
  model: 'purchase.product_supplier',
  changed: ['create_date', 'write_date', 'party.write_date'],
}

/** The parties that supply a product. */
const supplierStream = (system: System) =>
  watchedStream('suppliers', system.client, [LIST], (signal) => readSuppliers(system, signal))

async function* readSuppliers(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'suppliers'>> {
  const query = { model: LIST.model, domain: [], fields: ['party.code', 'party.name'] }
  const seen = new Set<unknown>()
  let done = 0
  for await (const { rows } of readPages<ProductSupplierRow>(system.client, query, signal)) {
    done += rows.length
    const page: SnapshotPage<'suppliers'> = { records: [], quarantined: [], done, total: null }
    for (const row of rows) {
      const party = row['party.']
      if (seen.has(party?.code)) continue
      seen.add(party?.code)
      addRecord(
        page,
        row,
        () => ({ supplier: codeOf(party?.code, 'party.code'), name: nameOf(party?.name) }),
        ({ id }) => `purchase.product_supplier(${id})`,
      )
    }
    yield page
  }
}

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
