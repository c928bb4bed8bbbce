import type { Adapter } from '../adapter.ts'
import { addressOf } from '../http/address.ts'
import { checkStreams, RIGHTS } from './check.ts'
import { trytonOptions } from './options.ts'
import { streamsOf } from './masters.ts'
import { pathOf, System } from './system.ts'

/** Reads Tryton by JSON-RPC: README.md. */
export function trytonAdapter(): Adapter {
  return {
    type: 'tryton',
    auth(connection) {
      pathOf(addressOf(connection), trytonOptions.parse(connection.options).database)
      return { kind: 'basic' }
    },
    catalog: 'complete',
    options: trytonOptions,
    fields: {
      ...{ role: 'optional', baseUrl: 'optional', clientId: 'required', clientSecret: 'required' },
      options: ['database', 'company'],
    },
    neededRights: () => RIGHTS,
    streams: (connection) => streamsOf(new System(connection)),
    check: (connection, signal) => checkStreams(new System(connection), signal),
  }
}
