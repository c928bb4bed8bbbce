import type { Stream } from '../adapter.ts'
import { snapshotStream } from '../rows/snapshot.ts'
import { demandStream } from './demand.ts'
import { readLocations, skuStream, supplierStream } from './masters.ts'
import { readCustomerOrders, readOpenOrders } from './open-documents.ts'
import { planningStream } from './planning.ts'
import { receiptStream } from './receipts.ts'
import { readStock } from './stock.ts'
import type { System } from './system.ts'

export const streamsOf = (system: System): Stream[] =>
  [
    snapshotStream('locations', (signal) => readLocations(system, signal)),
    supplierStream(system),
    skuStream(system),
    planningStream(system),
    snapshotStream('stock', (signal) => readStock(system, signal)),
    snapshotStream('openOrders', (signal) => readOpenOrders(system, signal)),
    snapshotStream('customerOrders', (signal) => readCustomerOrders(system, signal)),
    receiptStream(system),
    demandStream(system),
  ].map((stream) => system.inSession(stream as Stream))
