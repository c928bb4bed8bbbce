// A sandbox of Business Central for a test, and what a store would hold of it.
import type { Connection } from '../../../adapters/adapter.ts'
import { businessCentralAdapter } from '../../../adapters/business-central/index.ts'
import type { BusinessCentralSandbox } from '../../../sandbox/business-central/index.ts'

export const adapter = businessCentralAdapter()

export const connectionTo = (
  erp: BusinessCentralSandbox,
  options: Record<string, unknown> = {},
): Connection => ({
  ...{ account: erp.tenant, role: 'D365 READ', baseUrl: erp.baseUrl },
  options: { auth: 'basic', planning_service: 'RestockItems', history_days: 90, ...options },
  credentials: { authorization: async () => erp.basic },
})
