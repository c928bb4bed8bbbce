import type { Connection } from '../../../adapters/adapter.ts'
import { odooAdapter } from '../../../adapters/odoo/index.ts'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import type { CompanyOptions } from '../../../sandbox/company/make-company.ts'
import { startOdoo } from '../../../sandbox/odoo/index.ts'
import type { SandboxOdoo } from '../../../sandbox/odoo/index.ts'

export const adapter = odooAdapter()

const started: SandboxOdoo[] = []
afterAll(() => Promise.all(started.map((odoo) => odoo.close())))

export async function startCompany(
  options: CompanyOptions = {},
  behaviour: Parameters<typeof startOdoo>[1] = {},
) {
  const company = makeCompany({ size: 120, days: 60, ...options })
  const odoo = await startOdoo(company, behaviour)
  started.push(odoo)
  return { company, odoo }
}

export const basicOf = (name: string, password: string) =>
  `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`

export const connectionTo = (
  { url, user }: SandboxOdoo,
  options: Record<string, unknown> = {},
): Connection => ({
  ...{ account: url, role: 'Restock (read)', baseUrl: null },
  options: { database: user.database, history_days: 90, page_size: 50, ...options },
  credentials: { authorization: async () => basicOf(user.login, user.key) },
})
