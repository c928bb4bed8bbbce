import type { Connection } from '../../../adapters/adapter.ts'
import { businessOneAdapter } from '../../../adapters/business-one/index.ts'
import type { BusinessOneSandbox } from '../../../sandbox/business-one/index.ts'

export const adapter = businessOneAdapter()

export const headerOf = ({ name, password }: { name: string; password: string }) =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

export const connectionTo = (
  erp: BusinessOneSandbox,
  options: Record<string, unknown> = {},
  user = erp.user,
): Connection => ({
  ...{ account: erp.companyDb, role: 'reader', baseUrl: erp.url },
  options: { history_days: 90, currency: 'EUR', ...options },
  credentials: { authorization: async () => headerOf(user) },
})
