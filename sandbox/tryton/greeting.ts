import type { Company } from '../company/company.ts'
import type { CompanyErp } from '../company/erp.ts'
import { startTryton } from './index.ts'

/** Starts the simulator and says how to connect it. */
export async function greetFromTryton(company: Company, port: number): Promise<CompanyErp> {
  const { url, user, close } = await startTryton(company, { port })
  const greeting = `Tryton sandbox at ${url}

Connect it (with npm start running in another terminal):
  RESTOCK_CLIENT_SECRET=${user.password} npx restock connect --source tryton --account ${url} --role reader --client-id ${user.login}`
  return { greeting, close }
}
