import type { Adapter } from '../adapter.ts'
import { authPlanOf } from './auth.ts'
import { checkStreams } from './check.ts'
import { businessCentralOptions } from './options.ts'
import { neededRightsOf } from './rights.ts'
import { streamsOf } from './streams.ts'
import { System } from './system.ts'

/** Reads Microsoft Dynamics 365 Business Central: README.md. */
export function businessCentralAdapter(): Adapter {
  return {
    type: 'business_central',
    auth: authPlanOf,
    catalog: 'complete',
    options: businessCentralOptions,
    fields: {
      ...{ role: 'optional', baseUrl: 'optional', clientId: 'required', clientSecret: 'optional' },
      options: ['auth', 'environment', 'company', 'planning_service'],
    },
    neededRights: ({ options }) => neededRightsOf(businessCentralOptions.parse(options)),
    streams: (connection) => streamsOf(new System(connection)),
    check: (connection, signal) => checkStreams(new System(connection), signal),
  }
}
