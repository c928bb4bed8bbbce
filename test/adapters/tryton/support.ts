import type { Connection } from '../../../adapters/adapter.ts'
import { trytonAdapter } from '../../../adapters/tryton/index.ts'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import type { CompanyOptions } from '../../../sandbox/company/make-company.ts'
import { startTryton } from '../../../sandbox/tryton/index.ts'
import type { SandboxTryton } from '../../../sandbox/tryton/index.ts'

export const adapter = trytonAdapter()

const started: SandboxTryton[] = []
afterAll(() => Promise.all(started.map((tryton) => tryton.close())))

export async function startCompany(options: CompanyOptions = {}) {
  const company = makeCompany({ size: 60, days: 60, ...options })
  const tryton = await startTryton(company)
  started.push(tryton)
  return { company, tryton }
}

export const basicOf = (name: string, password: string) =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

export const connectionTo = (
  { url, user }: SandboxTryton,
  options: Record<string, unknown> = {},
): Connection => ({
  ...{ account: url, role: 'Restock (read)', baseUrl: null },
  options: { history_days: 90, page_size: 50, ...options },
  credentials: { authorization: async () => basicOf(user.login, user.password) },
})
