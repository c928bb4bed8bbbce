// Terms of each pair of a product and a warehouse.
import type { Stream } from '../adapter.ts'
import type { ModelRow, Pairs } from '../rpc/reader.ts'
import { addPair, changedSince, readRows, readRowsOf } from '../rpc/reader.ts'
import { planningStream as pairStream } from '../rpc/planning-stream.ts'
import { addRecord, type Batch } from '../rows/pages.ts'
import type { OrderPointRow, ProductRow, SupplierInfoRow } from './entities.ts'
import { PRODUCT_TIMES, productQuery, readPairs, readPairsOf } from './pairs.ts'
import type { System } from './system.ts'
import { readTerms, SUPPLIER_INFOS } from './terms.ts'
import { toPlanning } from './to-planning.ts'
import { idOf } from './values.ts'

const ORDER_POINTS = 'stock.warehouse.orderpoint'
const CHANGED = ['write_date']

export const LISTS = [
  { model: SUPPLIER_INFOS, changed: CHANGED },
  { model: ORDER_POINTS, changed: CHANGED },
]

export const planningStream = (system: System): Stream<'planning'> =>
  pairStream({
    reader: system.client,
    lists: LISTS,
    all: (signal) => readAllPairs(system, signal),
    changedSince: ({ from }, signal) => readChangedPairs(system, from, signal),
    compose: (products, pairs, signal) => composeSome(system, products, pairs, signal),
  })

async function readAllPairs(system: System, signal: AbortSignal): Promise<Pairs> {
  const pairs = await readPairs(system, null, signal)
  const quantities = await system.quantities(signal)
  for (const [product, places] of quantities) {
    for (const location of places.keys()) addPair(pairs, product, location)
  }
  return pairs
}

async function readChangedPairs(system: System, from: number, signal: AbortSignal): Promise<Pairs> {
  const products = await readChangedProducts(system, from, signal)
  const pairs = await readPairsOf(system, products, signal)
  const quantities = await system.quantities(signal)
  for (const product of products) {
    for (const location of quantities.get(product)?.keys() ?? []) addPair(pairs, product, location)
  }
  for (const [product, places] of await readPairs(system, from, signal)) {
    for (const location of places) addPair(pairs, product, location)
  }
  return pairs
}

/** The products of which anything that decides about their terms was changed. */
async function readChangedProducts(
  system: System,
  from: number,
  signal: AbortSignal,
): Promise<number[]> {
  const { client } = system
  const query = { ...(await productQuery(system, signal)), fields: ['default_code'] }
  const since = (fields: readonly string[]) => changedSince(client, fields, from)
  const [products, infos, points] = await Promise.all([
    readRows(client, { ...query, domain: [...query.domain, ...since(PRODUCT_TIMES)] }, signal),
    readRows<SupplierInfoRow>(
      client,
      { model: SUPPLIER_INFOS, domain: since(CHANGED), fields: ['product_tmpl_id'] },
      signal,
    ),
    readRows<OrderPointRow>(
      client,
      { model: ORDER_POINTS, domain: since(CHANGED), fields: ['product_id'] },
      signal,
    ),
  ])
  const templates = infos.flatMap(({ product_tmpl_id: template }) => idOf(template) ?? [])
  const field = 'product_tmpl_id'
  const ofTemplates = templates.length
    ? await readRowsOf<ModelRow>(client, query, field, templates, signal)
    : []
  const numbers = [...products, ...ofTemplates].map(({ id }) => id)
  return [...new Set([...numbers, ...points.flatMap(({ product_id: of }) => idOf(of) ?? [])])]
}

async function composeSome(
  system: System,
  products: readonly number[],
  pairs: Pairs,
  signal: AbortSignal,
): Promise<Batch<'planning'>> {
  const batch: Batch<'planning'> = { records: [], quarantined: [] }
  const query = await productQuery(system, signal)
  const rows = await readRowsOf<ProductRow>(system.client, query, 'id', products, signal)
  const [terms, multiples, { codes }, units] = await Promise.all([
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
    const sku = system.skuOf(row)
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
