import type { Stream } from '../adapter.ts'
import { snapshotStream } from '../rows/snapshot.ts'
import { demandStream } from './demand.ts'
import { readLocations, skuStream, supplierStream } from './masters.ts'
import { readCustomerOrders, readOpenOrders } from './open-orders.ts'
import { readPlanning } from './planning.ts'
import { readStock } from './stock.ts'
import type { System } from './system.ts'

export const streamsOf = (system: System): Stream[] => [
  snapshotStream('locations', (signal) => readLocations(system, signal)),
  supplierStream(system),
  skuStream(system),
  ...(system.options.planning_service
    ? [snapshotStream('planning', (signal, known) => readPlanning(system, signal, known))]
    : []),
  snapshotStream('stock', (signal, known) => readStock(system, signal, known)),
  snapshotStream('openOrders', (signal) => readOpenOrders(system, signal)),
  snapshotStream('customerOrders', (signal) => readCustomerOrders(system, signal)),
  demandStream(system),
]
