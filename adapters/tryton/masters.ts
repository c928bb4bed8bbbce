import type { Stream } from '../adapter.ts'
import { addRecord, addRecords, batchOf, pagesOf, type SnapshotPage } from '../rows/pages.ts'
import { codeOf, nameOf } from '../rows/values.ts'
import { changedStream } from '../rpc/changed-stream.ts'
import { readNamesakes } from '../rpc/catalogue.ts'
import { changedSince, readPages } from '../rpc/reader.ts'
import { watchedStream } from '../rpc/watched.ts'
import type { ProductRow, ProductSupplierRow } from './entities.ts'
import { PRODUCT_TIMES, PRODUCTS } from './products.ts'
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
  const domain = [['company', '=', await system.company(signal)]]
  const query = { model: LIST.model, domain, fields: ['party.code', 'party.name'] }
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
  page.notes = warehouses
    .filter(({ location, row }) => row.code && location !== row.code)
    .map(({ id, location, row }) => sharedCode(id, location, row.code!))
  yield page
}

const sharedCode = (id: number, location: string, code: string) =>
  `Warehouse ${id} has the code ${code} of another one, and is called ${location} here.`

export const skuStream = (system: System): Stream<'skus'> =>
  changedStream<'skus', ProductRow>(
    'skus',
    {
      reader: system.client,
      query: async () => PRODUCTS,
      changedSince: (from) => changedSince(system.client, PRODUCT_TIMES, from),
      async compose(rows, signal, isWhole) {
        const [currency, catalogue] = await Promise.all([
          system.currency(signal),
          system.catalogue(signal),
        ])
        const others = await readNamesakes<ProductRow>(
          { reader: system.client, query: PRODUCTS, catalogue, codeOf: ({ code }) => code },
          isWhole ? [] : rows,
          signal,
        )
        return batchOf<'skus', ProductRow>(
          [...rows, ...others],
          (row) => toSku(row, currency, catalogue),
          ({ id }) => `product.product(${id})`,
        )
      },
    },
    { isRequired: true, namesSkus: true },
  )
