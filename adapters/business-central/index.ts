import type { Adapter, Stream } from '../adapter.ts'
import { snapshotStream } from '../rows/pages.ts'
import { authPlanOf } from './auth.ts'
import { readBatches } from './batches.ts'
import { checkStreams, neededRightsOf } from './check.ts'
import { demandStream } from './demand.ts'
import { readDrafts } from './drafts.ts'
import { readLocations, skuStream, supplierStream } from './masters.ts'
import { readCustomerOrders, readOpenOrders } from './open-orders.ts'
import { businessCentralOptions } from './options.ts'
import { BUSINESS_CENTRAL_FORM } from './order-form.ts'
import { readPlanning } from './planning.ts'
import { readStock } from './stock.ts'
import { System } from './system.ts'

/** Reads Microsoft Dynamics 365 Business Central: README.md. */
export function businessCentralAdapter(): Adapter {
  return {
    type: 'business_central',
    auth: authPlanOf,
    catalog: 'complete',
    options: businessCentralOptions,
    orderForm: BUSINESS_CENTRAL_FORM,
    fields: {
      ...{ role: 'optional', baseUrl: 'optional', clientId: 'required', clientSecret: 'optional' },
      options: ['auth', 'environment', 'company', 'planning_service'],
    },
    neededRights: ({ options }) => neededRightsOf(businessCentralOptions.parse(options)),
    streams: (connection) => streamsOf(new System(connection)),
    check: (connection, signal) => checkStreams(new System(connection), signal),
  }
}

const streamsOf = (system: System): Stream[] => [
  snapshotStream('locations', (signal) => readLocations(system, signal)),
  supplierStream(system),
  skuStream(system),
  ...(system.options.planning_service
    ? [snapshotStream('planning', (signal, known) => readPlanning(system, signal, known))]
    : []),
  snapshotStream('stock', (signal, known) => readStock(system, signal, known)),
  snapshotStream('batches', (signal) => readBatches(system, signal), { isOptional: true }),
  snapshotStream('drafts', (signal, known) => readDrafts(system, signal, known), {
    isOptional: true,
  }),
  snapshotStream('openOrders', (signal, known) => readOpenOrders(system, signal, known)),
  snapshotStream('customerOrders', (signal) => readCustomerOrders(system, signal)),
  demandStream(system),
]
