import type { Stream } from '../adapter.ts'
import { addRecord, addRecords, batchOf, pagesOf, type SnapshotPage } from '../rows/pages.ts'
import { codeOf, nameOf } from '../rows/values.ts'
import { changedStream } from '../rpc/changed-stream.ts'
import { changedSince, readPages } from '../rpc/reader.ts'
import { watchedStream } from '../rpc/watched.ts'
import type { ProductRow, ProductSupplierRow } from './entities.ts'
import { PRODUCT_TIMES, PRODUCTS } from './pairs.ts'
import type { System } from './system.ts'
import { toLocation, toSku } from './to-sku.ts'

const LIST = {
  model: 'purchase.product_supplier',
  changed: ['create_date', 'write_date', 'party.write_date'],
}

/** The parties that supply a product. */
export const supplierStream = (system: System) =>
  watchedStream('suppliers', system.client, [LIST], (signal) => readSuppliers(system, signal))

async function* readSuppliers(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'suppliers'>> {
  const query = { model: LIST.model, domain: [], fields: ['party.code', 'party.name'] }
  const seen = new Set<unknown>()
  const found = readPages<ProductSupplierRow>(system.client, query, signal)
  yield* pagesOf<'suppliers', ProductSupplierRow>(found, (page, rows) => {
    for (const row of rows) {
      const party = row['party.']
      if (seen.has(party?.code)) continue
      seen.add(party?.code)
      const map = () => ({ supplier: codeOf(party?.code, 'party.code'), name: nameOf(party?.name) })
      addRecord(page, row, map, ({ id }) => `purchase.product_supplier(${id})`)
    }
  })
}

export async function* readLocations(
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

export function skuStream(system: System): Stream<'skus'> {
  const owners = new Map<string, number>()
  return changedStream<'skus', ProductRow>(
    'skus',
    {
      reader: system.client,
      query: async () => PRODUCTS,
      changedSince: (from) => changedSince(system.client, PRODUCT_TIMES, from),
      async compose(rows, signal) {
        const currency = await system.currency(signal)
        return batchOf<'skus', ProductRow>(
          rows,
          (row) => toSku(row, currency, owners),
          ({ id }) => `product.product(${id})`,
        )
      },
    },
    { isRequired: true },
  )
}
