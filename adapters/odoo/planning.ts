// Terms of each pair of a product and a warehouse.
import type { Stream } from '../adapter.ts'
import type { RecordOf } from '../records.ts'
import { multiplyByRatio, ONE } from '../rows/decimals.ts'
import { addRecord, type Batch, pagesOf, type SnapshotPage } from '../rows/pages.ts'
import { codeOf, mapAbout, numberOf } from '../rows/values.ts'
import type { Pairs } from '../rpc/pairs.ts'
import { planningStream as pairStream } from '../rpc/planning-stream.ts'
import { readPages, readRowsOf } from '../rpc/reader.ts'
import { watchedStream } from '../rpc/watched.ts'
import type { OrderPointRow, ProductRow, SupplierInfoRow } from './entities.ts'
import { pairLists } from './pairs.ts'
import { PRODUCT_TIMES, productQuery } from './products.ts'
import type { System } from './system.ts'
import { readTerms, SUPPLIER_INFOS } from './terms.ts'
import { orderUnit, priceOf, toPlanning } from './to-planning.ts'
import { idOf, quantityOf, type Units } from './values.ts'

const ORDER_POINTS = 'stock.warehouse.orderpoint'
const CHANGED = ['write_date']

const LISTS = [
  { model: SUPPLIER_INFOS, changed: CHANGED },
  { model: ORDER_POINTS, changed: CHANGED },
]

export const planningStream = (system: System): Stream<'planning'> =>
  pairStream(system, {
    lists: LISTS,
    pairLists: (signal) => pairLists(system, signal),
    termLists: async (signal) => ({
      products: {
        ...(await productQuery(system, signal)),
        ...{ fields: ['default_code'], times: PRODUCT_TIMES },
      },
      template: 'product_tmpl_id',
      terms: { model: SUPPLIER_INFOS, domain: [], fields: ['product_tmpl_id'], times: CHANGED },
      templateOf: ({ product_tmpl_id: template }: SupplierInfoRow) => idOf(template),
      pointTimes: CHANGED,
    }),
    compose: (products, pairs, signal) => composeSome(system, products, pairs, signal),
  })

async function composeSome(
  system: System,
  products: readonly number[],
  pairs: Pairs,
  signal: AbortSignal,
): Promise<Batch<'planning'>> {
  const batch: Batch<'planning'> = { records: [], quarantined: [] }
  const query = await productQuery(system, signal)
  const rows = await readRowsOf<ProductRow>(system.client, query, 'id', products, signal)
  const [catalogue, terms, multiples, { codes }, units] = await Promise.all([
    system.catalogue(signal),
    readTerms(system, rows, signal),
    readMultiples(system, products, signal),
    system.places(signal),
    system.units(signal),
  ])
  const numbers = [...terms.values()].map(({ partner }) => partner)
  const suppliers = await system.partners(numbers, signal)
  const multipleOf = new Map(
    multiples.map(({ product_id, warehouse_id, qty_multiple }) => [
      `${idOf(product_id)} ${codes.get(idOf(warehouse_id) ?? 0)}`,
      qty_multiple,
    ]),
  )
  for (const row of rows) {
    const sku = catalogue.skuOf(row.id)
    if (sku === null) continue
    const own = terms.get(row.id)
    const supplier = (own && suppliers.get(own.partner)) ?? null
    for (const location of pairs.get(row.id) ?? []) {
      const multiple = multipleOf.get(`${row.id} ${location}`)
      const input = { row, sku, location, terms: own, supplier, multiple }
      const place = () => `product.product(${row.id}) ${location}`
      addRecord(batch, row, () => toPlanning(input, units), place)
    }
  }
  return batch
}

/** Order points say how orders of a pair are rounded, until Odoo 18. */
async function readMultiples(
  system: System,
  products: readonly number[],
  signal: AbortSignal,
): Promise<OrderPointRow[]> {
  const found = await system.client.fieldsOf(ORDER_POINTS, signal)
  if (!found.has('qty_multiple')) return []
  const query = {
    ...{ model: ORDER_POINTS, domain: [['active', '=', true]] },
    fields: ['product_id', 'warehouse_id', 'qty_multiple'],
  }
  return readRowsOf<OrderPointRow>(system.client, query, 'product_id', products, signal)
}

// What a unit costs in orders from a quantity on, of the vendor whose terms count.

export const priceBreakStream = (system: System) =>
  watchedStream(
    'priceBreaks',
    system.client,
    [
      { model: SUPPLIER_INFOS, changed: ['write_date'] },
      { model: 'product.product', changed: PRODUCT_TIMES },
    ],
    (signal) => readPriceBreaks(system, signal),
  )

async function* readPriceBreaks(
  system: System,
  signal: AbortSignal,
): AsyncGenerator<SnapshotPage<'priceBreaks'>> {
  const query = await productQuery(system, signal)
  const [units, catalogue] = await Promise.all([system.units(signal), system.catalogue(signal)])
  const products = readPages<ProductRow>(system.client, query, signal)
  yield* pagesOf<'priceBreaks', ProductRow>(products, async (page, rows) => {
    const terms = await readTerms(system, rows, signal)
    const numbers = [...terms.values()].map(({ partner }) => partner)
    const suppliers = await system.partners(numbers, signal)
    for (const row of rows) {
      const own = terms.get(row.id)
      const sku = catalogue.skuOf(row.id)
      if (!own || sku === null) continue
      const supplier = suppliers.get(own.partner)
      // The first line is the unit cost of the planning record.
      for (const line of own.lines.slice(1)) {
        const map = () => toPriceBreak(row, sku, supplier, line, units)
        addRecord(page, line, map, ({ id }) => `${SUPPLIER_INFOS}(${id})`)
      }
    }
  })
}

const toPriceBreak = (
  row: ProductRow,
  sku: string,
  supplier: string | undefined,
  line: SupplierInfoRow,
  units: Units,
): RecordOf<'priceBreaks'> | null =>
  mapAbout(sku, '', () => {
    const factor = orderUnit(row, line, units)
    const from = multiplyByRatio(quantityOf(line.min_qty, 'min_qty'), factor, ONE)
    const unitCost = priceOf(line, factor)
    if (from <= 0n || unitCost === null) return null
    return {
      ...{ sku, location: '', supplier: codeOf(supplier, 'ref') },
      ...{ fromQuantity: numberOf(from, 'min_qty'), unitCost },
    }
  })
