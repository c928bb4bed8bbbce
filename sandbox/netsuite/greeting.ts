import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Company } from '../company/company.ts'
import { commandOf, type CompanyErp } from '../company/erp.ts'
import { startNetsuite } from './index.ts'

/** Starts the simulator and says how to connect it; the key of its certificate lies in a file meanwhile. */
export async function greetFrom(company: Company, port: number): Promise<CompanyErp> {
  const erp = await startNetsuite(company, { port })
  erp.set({ totals: company.items.length <= 5_000 })
  const file = path.join('.restock', 'netsuite-sandbox.key')
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, erp.privateKey, { mode: 0o600 })
  const { account, role, url: baseUrl, client, certificateId } = erp
  const way = { account, role, baseUrl, clientId: client.id }
  const certificate = { auth: 'client_credentials', certificate_id: certificateId }
  const greeting = `NetSuite sandbox at ${baseUrl}

Connect it by a certificate (with npm start running in another terminal):
  ${commandOf('netsuite', { ...way, secret: `"$(cat ${file})"`, options: certificate })}
or by a consent:
  ${commandOf('netsuite', { ...way, secret: client.secret })}`
  return {
    greeting,
    async close() {
      await erp.close()
      await rm(file, { force: true })
    },
  }
}
