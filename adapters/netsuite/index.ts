import type { Adapter, Stream } from '../adapter.ts'
import { authPlanOf, neededRights } from './auth.ts'
import { checkStreams } from './check.ts'
import { demandStream, receiptStream } from './movements.ts'
import { netsuiteOptions } from './options.ts'
import { NETSUITE_FORM } from './order-form.ts'
import { planningStream } from './planning.ts'
import { skuStream } from './skus.ts'
import {
  batchStream,
  customerOrderStream,
  draftStream,
  exchangeRateStream,
  locationStream,
  openOrderStream,
  stockStream,
  supplierStream,
} from './snapshots.ts'
import { System } from './system.ts'

/** Reads Oracle NetSuite by SuiteQL: README.md. */
export function netsuiteAdapter(): Adapter {
  return {
    type: 'netsuite',
    auth: authPlanOf,
    catalog: 'complete',
    options: netsuiteOptions,
    orderForm: NETSUITE_FORM,
    fields: {
      ...{ role: 'required', baseUrl: 'optional', clientId: 'required', clientSecret: 'required' },
      options: ['auth', 'certificate_id', 'time_zone'],
    },
    neededRights,
    streams: (connection) => streamsOf(new System(connection)),
    check: (connection, signal) => checkStreams(new System(connection), signal),
  }
}

const streamsOf = (system: System): Stream[] => [
  locationStream(system),
  supplierStream(system),
  skuStream(system),
  planningStream(system),
  stockStream(system),
  batchStream(system),
  draftStream(system),
  openOrderStream(system),
  customerOrderStream(system),
  exchangeRateStream(system),
  receiptStream(system),
  demandStream(system),
]
