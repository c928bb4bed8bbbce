// Products, and the warehouses at which they are kept.
import { DAY_MS } from '../rows/days.ts'
import type { PairLists } from '../rpc/pairs.ts'
import type { MoveRow, OrderPointRow } from './entities.ts'
import type { System } from './system.ts'
import { idOf } from './values.ts'

export const MOVE_TIMES = ['write_date']

/** The lists that say where products are kept, of moves that were not called off. */
export async function pairLists(system: System, signal: AbortSignal): Promise<PairLists> {
  const { client, options } = system
  const { warehouseOf, codes } = await system.places(signal)
  const firstDay = client.instant(Date.now() - options.history_days * DAY_MS)
  return {
    reader: client,
    moves: {
      model: 'stock.move',
      domain: [
        ['state', 'not in', ['draft', 'cancel']],
        ['date', '>=', firstDay],
      ],
      fields: ['product_id', 'location_id', 'location_dest_id'],
    },
    changed: MOVE_TIMES,
    points: {
      model: 'stock.warehouse.orderpoint',
      domain: [['active', '=', true]],
      fields: ['product_id', 'warehouse_id'],
    },
    product: 'product_id',
    ofMove: (row: MoveRow) => ({
      product: idOf(row.product_id),
      from: warehouseOf(idOf(row.location_id)),
      to: warehouseOf(idOf(row.location_dest_id)),
    }),
    ofPoint: ({ product_id: product, warehouse_id: warehouse }: OrderPointRow) => ({
      product: idOf(product),
      location: codes.get(idOf(warehouse) ?? 0),
    }),
  }
}
