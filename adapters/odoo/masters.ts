import type { Stream } from '../adapter.ts'
import { addRecord, addRecords, batchOf, pagesOf, type SnapshotPage } from '../rows/pages.ts'
import { codeOf, nameOf } from '../rows/values.ts'
import { readNamesakes } from '../rpc/catalogue.ts'
import { changedStream } from '../rpc/changed-stream.ts'
import { changedSince, readPages } from '../rpc/reader.ts'
import { watchedStream } from '../rpc/watched.ts'
import type { ProductRow, SupplierInfoRow } from './entities.ts'
import { PRODUCT_TIMES, productQuery } from './products.ts'
import type { System } from './system.ts'
import { partnerOf, SUPPLIER_INFOS, vendorFields } from './terms.ts'
import { toSku } from './to-sku.ts'

/** The partners that have a vendor price list. */
export const supplierStream = (system: System) =>
  watchedStream(
    'suppliers',
    system.client,
    [{ model: SUPPLIER_INFOS, changed: ['write_date'] }],
    (signal) => readSuppliers(system, signal),
  )

async function* readSuppliers(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'suppliers'>> {
  const fields = (await vendorFields(system, signal)).filter((field) =>
    /^(partner_id|name)$/.test(field),
  )
  const query = { model: SUPPLIER_INFOS, domain: [], fields }
  const seen = new Set<number>()
  const found = readPages<SupplierInfoRow>(system.client, query, signal)
  yield* pagesOf<'suppliers', SupplierInfoRow>(found, async (page, rows) => {
    const codes = await system.partners(rows.map(partnerOf), signal)
    for (const row of rows) {
      const partner = partnerOf(row)
      if (partner === null || seen.has(partner)) continue
      seen.add(partner)
      const link = row.partner_id || row.name
      const map = () => ({
        supplier: codeOf(codes.get(partner), 'ref'),
        name: link ? nameOf(link[1]) : null,
      })
      addRecord(page, row, map, () => `res.partner(${partner})`)
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
  addRecords(
    page,
    warehouses,
    ({ location, row }) => ({ location: codeOf(location, 'code'), name: nameOf(row.name) }),
    ({ id }) => `stock.warehouse(${id})`,
  )
  yield page
}

export const skuStream = (system: System): Stream<'skus'> =>
  changedStream<'skus', ProductRow>(
    'skus',
    {
      reader: system.client,
      query: (signal) => productQuery(system, signal),
      changedSince: (from) => changedSince(system.client, PRODUCT_TIMES, from),
      async compose(rows, signal, isWhole) {
        const [units, currency, catalogue, query] = await Promise.all([
          system.units(signal),
          system.currency(signal),
          system.catalogue(signal),
          productQuery(system, signal),
        ])
        const others = await readNamesakes<ProductRow>(
          { reader: system.client, query, catalogue, codeOf: (row) => system.codeOf(row) },
          isWhole ? [] : rows,
          signal,
        )
        return batchOf<'skus', ProductRow>(
          [...rows, ...others],
          (row) => toSku(row, system.codeOf(row), units, currency, catalogue),
          ({ id }) => `product.product(${id})`,
        )
      },
    },
    { isRequired: true, namesSkus: true },
  )
