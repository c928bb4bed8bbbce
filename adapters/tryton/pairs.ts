import type { Domain, ModelQuery, Pairs } from '../rpc/reader.ts'
import { addPair, changedSince, readPages, readRows, readRowsOf } from '../rpc/reader.ts'
import type { OrderPointRow, PairMoveRow } from './entities.ts'
import { firstDay, GOODS } from './places.ts'
import type { System } from './system.ts'

export const PRODUCTS: ModelQuery = {
  model: 'product.product',
  domain: [GOODS],
  fields: [
    ...['code', 'active', 'template', 'cost_price'],
    ...['template.name', 'template.active', 'template.purchasable'],
    ...['default_uom', 'purchase_uom'].flatMap((uom) => [
      `${uom}.symbol`,
      `${uom}.factor`,
      `${uom}.rate`,
    ]),
  ],
}

/** When a product, its template or its cost was changed. */
export const PRODUCT_TIMES = [
  ...['create_date', 'write_date', 'template.create_date', 'template.write_date'],
  ...['cost_prices.create_date', 'cost_prices.write_date'],
]

// Which products are kept at which warehouses: those with stock, with moves in the history, and with order points.

export const MOVE_TIMES = ['create_date', 'write_date']

const FIELDS = ['product', 'from_location', 'to_location']

/** @param since only pairs with moves that were changed since; null for those of the whole history */
export async function readPairs(
  system: System,
  since: number | null,
  signal: AbortSignal,
): Promise<Pairs> {
  const changed = since === null ? [] : changedSince(system.client, MOVE_TIMES, since)
  const domain = [...historyOf(system), ...changed]
  const pairs: Pairs = new Map()
  await addMoves(system, pairs, domain, signal)
  const query = { model: 'stock.order_point', domain: [], fields: POINT_FIELDS }
  addPoints(
    pairs,
    await readRows<OrderPointRow>(system.client, query, signal),
    await codesOf(system, signal),
  )
  return pairs
}

/** All pairs of some products. */
export async function readPairsOf(
  system: System,
  products: readonly number[],
  signal: AbortSignal,
): Promise<Pairs> {
  const pairs: Pairs = new Map()
  const { client } = system
  const { warehouseOf } = await system.places(signal)
  const moves = { model: 'stock.move', domain: historyOf(system), fields: FIELDS }
  for (const row of await readRowsOf<PairMoveRow>(client, moves, 'product', products, signal)) {
    addMove(pairs, row, warehouseOf)
  }
  const points = { model: 'stock.order_point', domain: [], fields: POINT_FIELDS }
  const found = await readRowsOf<OrderPointRow>(client, points, 'product', products, signal)
  addPoints(pairs, found, await codesOf(system, signal))
  return pairs
}

const POINT_FIELDS = ['product', 'warehouse_location']

/** Moves that are open have no day of their effect yet. */
const historyOf = ({ client, options }: System): Domain => [
  client.anyOf(
    [['effective_date', '>=', firstDay(options.history_days)]],
    [['state', 'in', ['draft', 'assigned']]],
  ),
]

async function addMoves(system: System, pairs: Pairs, domain: Domain, signal: AbortSignal) {
  const { warehouseOf } = await system.places(signal)
  const query = { model: 'stock.move', domain, fields: FIELDS }
  for await (const { rows } of readPages<PairMoveRow>(system.client, query, signal)) {
    for (const row of rows) addMove(pairs, row, warehouseOf)
  }
}

function addMove(
  pairs: Pairs,
  { product, from_location: from, to_location: to }: PairMoveRow,
  warehouseOf: (location: number) => string | null,
) {
  const [source, target] = [warehouseOf(from), warehouseOf(to)]
  if (source) addPair(pairs, product, source)
  if (target && target !== source) addPair(pairs, product, target)
}

const codesOf = async (system: System, signal: AbortSignal) =>
  new Map((await system.places(signal)).warehouses.map(({ id, location }) => [id, location]))

function addPoints(pairs: Pairs, rows: OrderPointRow[], codes: Map<number, string>): void {
  for (const { product, warehouse_location: warehouse } of rows) {
    const location = warehouse === null ? undefined : codes.get(warehouse)
    if (location) addPair(pairs, product, location)
  }
}
