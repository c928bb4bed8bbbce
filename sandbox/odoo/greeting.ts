import type { Company } from '../company/company.ts'
import type { CompanyErp } from '../company/erp.ts'
import { startOdoo } from './index.ts'

/** Starts the simulator and says how to connect it. */
export async function greetFromOdoo(company: Company, port: number): Promise<CompanyErp> {
  const { url, user, close } = await startOdoo(company, { port })
  const greeting = `Odoo sandbox at ${url}

Connect it (with npm start running in another terminal):
  RESTOCK_CLIENT_SECRET=${user.key} npx restock connect --source odoo --account ${url} --role reader --client-id ${user.login} --option database=${user.database}`
  return { greeting, close }
}
