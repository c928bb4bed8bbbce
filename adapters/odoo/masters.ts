import type { Stream } from '../adapter.ts'
import type { Batch, SnapshotPage } from '../rows/pages.ts'
import { addRecord, addRecords, snapshotStream } from '../rows/pages.ts'
import { codeOf, nameOf } from '../rows/values.ts'
import { changedStream } from '../rpc/changed-stream.ts'
import { changedSince, readPages } from '../rpc/reader.ts'
import { watchedStream } from '../rpc/watched.ts'
import type { ProductRow, SupplierInfoRow } from './entities.ts'
import { demandStream, readCustomerOrders, readOpenOrders, receiptStream } from './moves.ts'
import { PRODUCT_TIMES, productQuery } from './pairs.ts'
import { planningStream } from './planning.ts'
import { priceBreakStream } from './price-breaks.ts'
import { readStock } from './stock.ts'
import type { System } from './system.ts'
import { partnerOf, SUPPLIER_INFOS, vendorFields } from './terms.ts'
import { toSku } from './to-sku.ts'

/** The partners that have a vendor price list. */
const supplierStream = (system: System) =>
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
  let done = 0
  for await (const { rows } of readPages<SupplierInfoRow>(system.client, query, signal)) {
    done += rows.length
    const page: SnapshotPage<'suppliers'> = { records: [], quarantined: [], done, total: null }
    const codes = await system.partners(rows.map(partnerOf), signal)
    for (const row of rows) {
      const partner = partnerOf(row)
      if (partner === null || seen.has(partner)) continue
      seen.add(partner)
      const link = row.partner_id || row.name
      addRecord(
        page,
        row,
        () => ({
          supplier: codeOf(codes.get(partner), 'ref'),
          name: link ? nameOf(link[1]) : null,
        }),
        () => `res.partner(${partner})`,
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
  addRecords(
    page,
    warehouses,
    ({ location, row }) => ({ location: codeOf(location, 'code'), name: nameOf(row.name) }),
    ({ id }) => `stock.warehouse(${id})`,
  )
  yield page
}

function skuStream(system: System): Stream<'skus'> {
  const owners = new Map<string, number>()
  return changedStream<'skus', ProductRow>(
    'skus',
    {
      reader: system.client,
      query: (signal) => productQuery(system, signal),
      changedSince: (from) => changedSince(system.client, PRODUCT_TIMES, from),
      async compose(rows, signal) {
        const batch: Batch<'skus'> = { records: [], quarantined: [] }
        const [units, currency] = await Promise.all([system.units(signal), system.currency(signal)])
        for (const row of rows) {
          const map = () => toSku(row, system.skuOf(row), units, currency, owners)
          addRecord(batch, row, map, ({ id }) => `product.product(${id})`)
        }
        return batch
      },
    },
    { isRequired: true },
  )
}
