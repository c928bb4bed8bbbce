import type { Stream } from '../adapter.ts'
import { deliveries } from './demand/deliveries.ts'
import { goodsMovements } from './demand/goods-movements.ts'
import { demandStream } from './demand/stream.ts'
import { readLocations } from './locations.ts'
import { readOpenOrders } from './open-orders/stream.ts'
import { readPlanning } from './planning/stream.ts'
import { skuStream } from './skus.ts'
import { snapshotStream } from '../rows/snapshot.ts'
import { readCustomerOrders } from './sales-orders/stream.ts'
import { readStock } from './stock.ts'
import { readSuppliers } from './suppliers.ts'
import type { System } from './system.ts'

export const streamsOf = (system: System): Stream[] => [
  snapshotStream('locations', (signal) => readLocations(system, signal)),
  snapshotStream('suppliers', (signal) => readSuppliers(system, signal)),
  skuStream(system),
  snapshotStream('planning', (signal) => readPlanning(system, signal)),
  snapshotStream('stock', (signal) => readStock(system, signal)),
  snapshotStream('openOrders', (signal) => readOpenOrders(system, signal)),
  ...(system.options.sales_orders
    ? [snapshotStream('customerOrders', (signal) => readCustomerOrders(system, signal))]
    : []),
  demandStream(system, documentsOf(system)),
]

const documentsOf = (system: System) =>
  system.options.demand === 'deliveries' ? deliveries(system) : goodsMovements(system)
