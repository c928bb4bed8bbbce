import type { Stream } from '../adapter.ts'
import { readsPlannedRequirements, readsReservations } from './auth.ts'
import { deliveries } from './demand/deliveries.ts'
import { goodsMovements } from './demand/goods-movements.ts'
import { documentStream } from './demand/stream.ts'
import { readLocations } from './locations.ts'
import type { S4hanaOptions } from './options.ts'
import { readOpenOrders } from './open-orders/stream.ts'
import { goodsReceipts } from './goods-receipts/source.ts'
import { plannedRequirements } from './planned-requirements/stream.ts'
import { planningStream } from './planning/stream.ts'
import { skuStream } from './skus.ts'
import { snapshotStream } from '../rows/snapshot.ts'
import { readReservations } from './reservations.ts'
import { readCustomerOrders } from './sales-orders/stream.ts'
import { readStock } from './stock.ts'
import { readSuppliers } from './suppliers.ts'
import type { System } from './system.ts'

/** Lead times are measured from the receipts of a year. */
const RECENT = { historyDays: 400 }

export const streamsOf = (system: System): Stream[] => [
  snapshotStream('locations', (signal) => readLocations(system, signal)),
  snapshotStream('suppliers', (signal) => readSuppliers(system, signal)),
  skuStream(system),
  planningStream(system),
  snapshotStream('stock', (signal, known) => readStock(system, signal, known)),
  snapshotStream('openOrders', (signal, known) => readOpenOrders(system, signal, known)),
  ...(system.options.sales_orders
    ? [snapshotStream('customerOrders', (signal) => readCustomerOrders(system, signal))]
    : []),
  ...(readsReservations(system.options)
    ? [
        snapshotStream('reservations', (signal) => readReservations(system, signal), {
          isOptional: true,
        }),
      ]
    : []),
  ...(readsPlannedRequirements(system.options) ? [plannedRequirements(system)] : []),
  ...(readsReceipts(system.options)
    ? [documentStream('receipts', system, goodsReceipts(system), RECENT)]
    : []),
  documentStream('demand', system, documentsOf(system), { isRequired: true }),
]

const documentsOf = (system: System) =>
  system.options.demand === 'deliveries' ? deliveries(system) : goodsMovements(system)

/** Where demand comes from deliveries, nobody was asked for the right to read material documents. */
export const readsReceipts = ({ demand }: S4hanaOptions) => demand === 'goods_movements'
