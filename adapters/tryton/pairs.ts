// Products, and the warehouses at which they are kept.
import type { PairLists } from '../rpc/pairs.ts'
import type { OrderPointRow, PairMoveRow } from './entities.ts'
import { firstDay, ORDER_POINTS } from './places.ts'
import type { System } from './system.ts'

export const MOVE_TIMES = ['create_date', 'write_date']

/** The lists that say where products are kept. Moves that are open have no day of their effect yet. */
export async function pairLists(system: System, signal: AbortSignal): Promise<PairLists> {
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
    ofMove: ({ product, from_location: from, to_location: to }: PairMoveRow) => ({
      product,
      from: warehouseOf(from),
      to: warehouseOf(to),
    }),
    ofPoint: ({ product, warehouse_location: warehouse }: OrderPointRow) => ({
      product,
      location: codes.get(warehouse ?? 0),
    }),
  }
}
