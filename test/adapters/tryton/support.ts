import type { Connection } from '../../../adapters/adapter.ts'
import { trytonAdapter } from '../../../adapters/tryton/index.ts'
import type { Company } from '../../../sandbox/company/company.ts'
import { makeCompany } from '../../../sandbox/company/make-company.ts'
import type { CompanyOptions } from '../../../sandbox/company/make-company.ts'
import type { ModelRecord } from '../../../sandbox/models/predicate.ts'
import { startTryton } from '../../../sandbox/tryton/index.ts'
import type { SandboxTryton } from '../../../sandbox/tryton/index.ts'
import { decimal } from '../../../sandbox/tryton/values.ts'

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

export const TIMES = { create_date: null, write_date: null }

/** A product like the first one of the company. */
export function productLike(
  company: Company,
  id: number,
  values: Record<string, unknown>,
): ModelRecord {
  const unit = { id: 1, symbol: 'PCE', factor: 1, rate: 1, rounding: 1 }
  const template = { id, name: `Product ${id}`, active: true, purchasable: true, ...TIMES }
  return {
    ...{ id, code: company.items[0]!.code, active: true, type: 'goods', template },
    ...{ cost_price: decimal('1'), cost_prices: [], default_uom: unit, purchase_uom: unit },
    ...{ quantity: 0, ...TIMES, ...values },
  }
}
