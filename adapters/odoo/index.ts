import type { Adapter } from '../adapter.ts'
import { addressOf } from '../http/address.ts'
import { checkStreams, RIGHTS } from './check.ts'
import { odooOptions } from './options.ts'
import { streamsOf } from './masters.ts'
import { System } from './system.ts'

/** Reads Odoo by JSON-2, and by JSON-RPC before Odoo 19: README.md. */
export function odooAdapter(): Adapter {
  return {
    type: 'odoo',
    auth(connection) {
      addressOf(connection)
      return { kind: 'basic' }
    },
    catalog: 'complete',
    options: odooOptions,
    fields: {
      ...{ role: 'optional', baseUrl: 'optional', clientId: 'required', clientSecret: 'required' },
      options: ['database', 'company', 'time_zone'],
    },
    neededRights: () => RIGHTS,
    streams: (connection) => streamsOf(new System(connection)),
    check: (connection, signal) => checkStreams(new System(connection), signal),
  }
}
