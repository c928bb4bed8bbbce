import type { Stream } from '../adapter.ts'
import { deliveries } from './demand/deliveries.ts'
import { goodsMovements } from './demand/goods-movements.ts'
import { demand } from './demand/stream.ts'
import { locations } from './locations.ts'
import { openOrders } from './open-orders/stream.ts'
import { planning } from './planning/stream.ts'
import { skus } from './skus.ts'
import { snapshot } from '../rows/snapshot.ts'
import { stock } from './stock.ts'
import { suppliers } from './suppliers.ts'
import type { System } from './system.ts'

export const streamsOf = (system: System): Stream[] => [
  snapshot('locations', (signal) => locations(system, signal)),
  snapshot('suppliers', (signal) => suppliers(system, signal)),
  skus(system),
  snapshot('planning', (signal) => planning(system, signal)),
  snapshot('stock', (signal) => stock(system, signal)),
  snapshot('openOrders', (signal) => openOrders(system, signal)),
  demand(system, documentsOf(system)),
]

const documentsOf = (system: System) =>
  system.options.demand === 'deliveries' ? deliveries(system) : goodsMovements(system)
