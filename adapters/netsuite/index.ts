import type { Adapter } from '../adapter.ts'
import { authPlanOf, neededRights } from './auth.ts'
import { checkStreams } from './check.ts'
import { netsuiteOptions } from './options.ts'
import { streamsOf } from './streams.ts'
import { System } from './system.ts'

/** Reads Oracle NetSuite by SuiteQL: README.md. */
export function netsuiteAdapter(): Adapter {
  return {
    type: 'netsuite',
    auth: authPlanOf,
    catalog: 'complete',
    options: netsuiteOptions,
    fields: {
      ...{ role: 'required', baseUrl: 'optional', clientId: 'required', clientSecret: 'required' },
      options: ['auth', 'certificate_id', 'time_zone'],
    },
    neededRights,
    streams: (connection) => streamsOf(new System(connection)),
    check: (connection, signal) => checkStreams(new System(connection), signal),
  }
}
