// Products, and the warehouses at which they are kept.
import type { Known } from '../rows/pages.ts'
import { type PairLists, readPairs } from '../rpc/pairs.ts'
import { readStock } from '../rpc/stock.ts'
import type { OrderPointRow, PairMoveRow } from './entities.ts'
import { firstDay, ORDER_POINTS } from './places.ts'
import type { System } from './system.ts'

export const MOVE_TIMES = ['create_date', 'write_date']

/** The lists that say where products are kept. Moves that are open have no day of their effect yet. */
export async function pairLists(
  system: System,
  signal: AbortSignal,
): Promise<PairLists<PairMoveRow, OrderPointRow>> {
  const { client, options } = system
  const { warehouseOf, warehouses } = await system.places(signal)
  const company = ['company', '=', await system.company(signal)]
  const codes = new Map(warehouses.map(({ id, location }) => [id, location]))
  const ofHistory = client.anyOf(
    [['effective_date', '>=', firstDay(options.history_days)]],
    [['state', 'in', ['draft', 'assigned']]],
  )
  return {
    reader: client,
    moves: {
      model: 'stock.move',
      domain: [company, ofHistory],
      fields: ['product', 'from_location', 'to_location'],
    },
    changed: MOVE_TIMES,
    points: { ...ORDER_POINTS, domain: [company], fields: ['product', 'warehouse_location'] },
    product: 'product',
    ofMove: ({ product, from_location: from, to_location: to }) => ({
      product,
      from: warehouseOf(from),
      to: warehouseOf(to),
    }),
    ofPoint: ({ product, warehouse_location: warehouse }) => ({
      product,
      location: codes.get(warehouse ?? 0),
    }),
  }
}

export const readTrytonStock = (system: System, signal: AbortSignal, known: Known) =>
  readStock(
    {
      reader: system.client,
      pairs: async (since) => readPairs(await pairLists(system, signal), since, signal),
      quantities: () => system.quantities(signal),
      catalogue: () => system.catalogue(signal),
    },
    signal,
    known,
  )
