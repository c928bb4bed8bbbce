import type { Adapter, Stream } from '../adapter.ts'
import { addressOf } from '../http/address.ts'
import { snapshotStream } from '../rows/pages.ts'
import { readBatches } from './batches.ts'
import { checkStreams, neededRightsOf } from './check.ts'
import { demandStream } from './demand.ts'
import { readDrafts } from './drafts.ts'
import { readLocations, skuStream, supplierStream } from './masters.ts'
import { readCustomerOrders, readOpenOrders } from './open-documents.ts'
import { businessOneOptions } from './options.ts'
import { BUSINESS_ONE_FORM } from './order-form.ts'
import { planningStream } from './planning.ts'
import { receiptStream } from './receipts.ts'
import { readStock } from './stock.ts'
import { System } from './system.ts'

/** Reads SAP Business One through its Service Layer: README.md. */
export function businessOneAdapter(): Adapter {
  return {
    type: 'business_one',
    auth(connection) {
      addressOf(connection)
      return { kind: 'basic' }
    },
    catalog: 'complete',
    options: businessOneOptions,
    orderForm: BUSINESS_ONE_FORM,
    fields: {
      ...{ role: 'optional', baseUrl: 'required', clientId: 'required', clientSecret: 'required' },
      options: ['currency', 'invoices'],
    },
    neededRights: (connection) => neededRightsOf(new System(connection)),
    streams: (connection) => streamsOf(new System(connection)),
    check: (connection, signal) => checkStreams(new System(connection), signal),
  }
}

function streamsOf(system: System): Stream[] {
  const { batches_query: query } = system.options
  const batches = query
    ? [
        snapshotStream('batches', (signal) => readBatches(system, query, signal), {
          isOptional: true,
        }),
      ]
    : []
  return [
    snapshotStream('locations', (signal) => readLocations(system, signal)),
    supplierStream(system),
    skuStream(system),
    planningStream(system),
    snapshotStream('stock', (signal) => readStock(system, signal)),
    ...batches,
    snapshotStream('drafts', (signal, known) => readDrafts(system, signal, known), {
      isOptional: true,
    }),
    snapshotStream('openOrders', (signal, known) => readOpenOrders(system, signal, known)),
    snapshotStream('customerOrders', (signal, known) => readCustomerOrders(system, signal, known)),
    receiptStream(system),
    demandStream(system),
  ].map((stream) => system.inSession(stream as Stream))
}
