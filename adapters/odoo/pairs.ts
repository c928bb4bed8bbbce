import type { Domain, ModelQuery, Pairs } from '../rpc/reader.ts'
import { addPair, changedSince, readPages, readRows, readRowsOf } from '../rpc/reader.ts'
import type { MoveRow, OrderPointRow } from './entities.ts'
import type { Places } from './places.ts'
import type { System } from './system.ts'
import { idOf } from './values.ts'

/** When a product or its template was changed. */
export const PRODUCT_TIMES = ['write_date', 'product_tmpl_id.write_date']

/** Products of which stock is kept: `is_storable` from Odoo 18 on, a type before. */
export async function productQuery(system: System, signal: AbortSignal): Promise<ModelQuery> {
  const found = await system.client.fieldsOf('product.product', signal)
  const domain: Domain = [
    found.has('is_storable') ? ['is_storable', '=', true] : ['type', '=', 'product'],
    {
      anyOf: [[['company_id', '=', false]], [['company_id', '=', await system.company(signal)]]],
    },
  ]
  const fields = [
    ...['default_code', 'barcode', 'name', 'active', 'uom_id', 'product_tmpl_id'],
    ...['standard_price', 'categ_id', 'purchase_ok', 'uom_po_id'],
  ].filter((field) => found.has(field))
  return { model: 'product.product', domain, fields }
}

// Which products are kept at which warehouses: those with stock, with moves in the history, and with order points.

export const MOVE_TIMES = ['write_date']

const FIELDS = ['product_id', 'location_id', 'location_dest_id']
const POINTS = {
  ...{ model: 'stock.warehouse.orderpoint', domain: [['active', '=', true]] },
  fields: ['product_id', 'warehouse_id'],
}

/** @param since only pairs with moves that were changed since; null for those of the whole history */
export async function readPairs(
  system: System,
  since: number | null,
  signal: AbortSignal,
): Promise<Pairs> {
  const { client } = system
  const places = await system.places(signal)
  const changed = since === null ? [] : changedSince(client, MOVE_TIMES, since)
  const domain = [...historyOf(system), ...changed]
  const pairs: Pairs = new Map()
  const moves = { model: 'stock.move', domain, fields: FIELDS }
  for await (const { rows } of readPages<MoveRow>(client, moves, signal)) {
    for (const row of rows) addMove(pairs, row, places)
  }
  addPoints(pairs, await readRows<OrderPointRow>(client, POINTS, signal), places)
  return pairs
}

/** All pairs of some products. */
export async function readPairsOf(
  system: System,
  products: readonly number[],
  signal: AbortSignal,
): Promise<Pairs> {
  const { client } = system
  const places = await system.places(signal)
  const pairs: Pairs = new Map()
  const moves = { model: 'stock.move', domain: historyOf(system), fields: FIELDS }
  for (const row of await readRowsOf<MoveRow>(client, moves, 'product_id', products, signal)) {
    addMove(pairs, row, places)
  }
  const points = await readRowsOf<OrderPointRow>(client, POINTS, 'product_id', products, signal)
  addPoints(pairs, points, places)
  return pairs
}

/** Moves that were not called off, of the history. */
const historyOf = ({ client, options }: System): Domain => [
  ['state', 'not in', ['draft', 'cancel']],
  ['date', '>=', client.instant(Date.now() - options.history_days * 86_400_000)],
]

function addMove(pairs: Pairs, row: MoveRow, { warehouseOf }: Places): void {
  const product = idOf(row.product_id)
  const [from, to] = [warehouseOf(idOf(row.location_id)), warehouseOf(idOf(row.location_dest_id))]
  if (product === null) return
  if (from) addPair(pairs, product, from)
  if (to && to !== from) addPair(pairs, product, to)
}

function addPoints(pairs: Pairs, rows: readonly OrderPointRow[], { codes }: Places): void {
  for (const { product_id, warehouse_id } of rows) {
    const [product, location] = [idOf(product_id), codes.get(idOf(warehouse_id) ?? 0)]
    if (product !== null && location) addPair(pairs, product, location)
  }
}
