import type { Adapter } from '../adapter.ts'
import { authPlanOf, neededRightsOf } from './auth.ts'
import { checkStreams } from './check.ts'
import { s4hanaOptions } from './options.ts'
import { streamsOf } from './streams.ts'
import { System } from './system.ts'

/** Reads SAP S/4HANA through its released OData services: docs/guides/s4hana.md. */
export function s4hanaAdapter(): Adapter {
  return {
    type: 's4hana',
    auth: authPlanOf,
    catalog: 'complete',
    options: s4hanaOptions,
    fields: {
      ...{ role: 'optional', baseUrl: 'optional', clientId: 'optional', clientSecret: 'optional' },
      options: ['auth', 'sap_client'],
    },
    neededRights: neededRightsOf,
    streams: (connection) => streamsOf(new System(connection)),
    check: (connection, signal) => checkStreams(new System(connection), signal),
  }
}
