import type { Adapter } from '../adapter.ts'
import { addressOf } from '../http/address.ts'
import { checkStreams, neededRightsOf } from './check.ts'
import { businessOneOptions } from './options.ts'
import { streamsOf } from './streams.ts'
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
    fields: {
      ...{ role: 'optional', baseUrl: 'required', clientId: 'required', clientSecret: 'required' },
      options: ['currency', 'invoices'],
    },
    neededRights: (connection) => neededRightsOf(new System(connection)),
    streams: (connection) => streamsOf(new System(connection)),
    check: (connection, signal) => checkStreams(new System(connection), signal),
  }
}
