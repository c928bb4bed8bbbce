import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Company } from '../company/company.ts'
import type { CompanyErp } from '../company/erp.ts'
import { startNetsuite } from './index.ts'

/** Starts the simulator and says how to connect it; the key of its certificate lies in a file meanwhile. */
export async function greetFrom(company: Company, port: number): Promise<CompanyErp> {
  const erp = await startNetsuite(company, { port })
  erp.set({ totals: company.items.length <= 5_000 })
  const file = path.join('.restock', 'netsuite-sandbox.key')
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, erp.privateKey, { mode: 0o600 })
  const connect = `npx restock connect --source netsuite --account ${erp.account} --role ${erp.role} --base-url ${erp.url} --client-id ${erp.client.id}`
  const greeting = `NetSuite sandbox at ${erp.url}

Connect it by a certificate (with npm start running in another terminal):
  RESTOCK_CLIENT_SECRET="$(cat ${file})" ${connect} --option auth=client_credentials --option certificate_id=${erp.certificateId}
or by a consent:
  RESTOCK_CLIENT_SECRET=${erp.client.secret} ${connect}`
  return {
    greeting,
    async close() {
      await erp.close()
      await rm(file, { force: true })
    },
  }
}
