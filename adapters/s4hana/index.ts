import type { Adapter, Stream } from '../adapter.ts'
import { snapshotStream } from '../rows/pages.ts'
import { authPlanOf, neededRightsOf, reads, readsReceipts } from './auth.ts'
import { checkStreams } from './check.ts'
import { deliveries } from './demand/deliveries.ts'
import { goodsMovements } from './demand/goods-movements.ts'
import { documentStream } from './demand/stream.ts'
import { draftLists, readDrafts } from './drafts/stream.ts'
import { readLocations, readSuppliers } from './masters.ts'
import { s4hanaOptions } from './options.ts'
import { S4HANA_FORM } from './order-form.ts'
import { readCustomerOrders } from './orders/customer-orders.ts'
import { goodsReceipts } from './orders/goods-receipts.ts'
import { readOpenOrders } from './orders/open-orders.ts'
import { plannedRequirements } from './planned-requirements.ts'
import { planningStream } from './planning/stream.ts'
import { readReservations } from './reservations.ts'
import { skuStream } from './skus.ts'
import { readBatches } from './stock/batches.ts'
import { readStock } from './stock/stream.ts'
import { System } from './system.ts'

/** Reads SAP S/4HANA through its released OData services: docs/guides/s4hana.md. */
export function s4hanaAdapter(): Adapter {
  return {
    type: 's4hana',
    auth: authPlanOf,
    catalog: 'complete',
    options: s4hanaOptions,
    orderForm: S4HANA_FORM,
    fields: {
      ...{ role: 'optional', baseUrl: 'optional', clientId: 'optional', clientSecret: 'optional' },
      options: ['auth', 'sap_client'],
    },
    neededRights: neededRightsOf,
    streams: (connection) => streamsOf(new System(connection)),
    check: (connection, signal) => checkStreams(new System(connection), signal),
  }
}

/** Lead times are measured from the receipts of a year. */
const RECENT = { historyDays: 400 }

const streamsOf = (system: System): Stream[] => [
  snapshotStream('locations', (signal) => readLocations(system, signal)),
  snapshotStream('suppliers', (signal) => readSuppliers(system, signal)),
  skuStream(system),
  planningStream(system),
  snapshotStream('stock', (signal, known) => readStock(system, signal, known)),
  ...(reads('batches', system.options)
    ? [snapshotStream('batches', (signal) => readBatches(system, signal), { isOptional: true })]
    : []),
  ...(draftLists(system.options).length
    ? [
        snapshotStream('drafts', (signal, known) => readDrafts(system, signal, known), {
          isOptional: true,
        }),
      ]
    : []),
  snapshotStream('openOrders', (signal, known) => readOpenOrders(system, signal, known)),
  ...(system.options.sales_orders
    ? [
        snapshotStream('customerOrders', (signal, known) =>
          readCustomerOrders(system, signal, known),
        ),
      ]
    : []),
  ...(reads('reservations', system.options)
    ? [
        snapshotStream('reservations', (signal) => readReservations(system, signal), {
          isOptional: true,
        }),
      ]
    : []),
  ...(reads('planned_requirements', system.options) ? [plannedRequirements(system)] : []),
  ...(readsReceipts(system.options)
    ? [documentStream('receipts', system, goodsReceipts(system), RECENT)]
    : []),
  documentStream('demand', system, documentsOf(system), { isRequired: true }),
]

const documentsOf = (system: System) =>
  system.options.demand === 'deliveries' ? deliveries(system) : goodsMovements(system)
