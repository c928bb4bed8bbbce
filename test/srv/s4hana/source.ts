// A sandbox ERP that is connected to the service, by each way in.
import { setTimeout as sleep } from 'node:timers/promises'
import { CLIENT, type Erp } from '../../../sandbox/index.ts'
import { removeSource } from '../../../srv/domain/sources/index.ts'
import { startSync, type Sync } from '../../../srv/domain/sync/index.ts'
import { finished } from '../../support/server.ts'
import { Visitor } from '../../support/visitor.ts'
import { post } from '../v1/api.ts'

export type Way = 'basic' | 'client_credentials' | 'authorization_code'

/** Several pages of everything. */
const SMALL = { page_size: 25, document_page_size: 10 }

/** For what happens to products, stock, demand and purchase orders: nothing else is asked for. */
export const NOTHING_ELSE = {
  ...{ batches: 'false', contracts: 'false', countries: 'false', planned_orders: 'false' },
  ...{ planned_requirements: 'false', requisitions: 'false', scheduling_agreements: 'false' },
}

/** The sources of a test file read the same SKUs: the newest leads. */
let precedence = 9_000
const connected: number[] = []

/** Ends a test: what it connected is removed, since the next source would share all pairs with it, and then the ERP. */
export async function leave(erp: Erp) {
  erp.control.clearFaults()
  for (const source of connected.splice(0)) await removeSource(source)
  await erp.close()
}

/** @returns the answer to POST /sources, after the consent where one is asked for */
export async function connect(erp: Erp, auth: Way = 'basic', options: object = {}) {
  const { status, json } = await post('/sources', {
    ...{ type: 's4hana', account: erp.url, role: 'Z_RESTOCK_READ' },
    ...{ client_id: CLIENT.id, client_secret: CLIENT.secret },
    options: { auth, ...SMALL, ...options },
    precedence: precedence--,
  })
  if (status !== 201) throw new Error(JSON.stringify(json))
  const page = json.authorization_url ? await consent(json.authorization_url) : ''
  const source = Number(json.id.slice(4))
  connected.push(source)
  return { id: json.id, source, json, page }
}

/** Begins a consent at an ERP that allows at once, and goes where it sends the browser. */
export async function consent(authorizationUrl: string): Promise<string> {
  const { page } = await new Visitor().open(authorizationUrl)
  return page.text()
}

/** Begins a sync, does something in the middle of its reading, and waits for its end. */
export async function syncWith(
  erp: Erp,
  source: number,
  inTheMiddle: () => unknown,
  { mode = 'incremental', after = 6 }: { mode?: 'incremental' | 'full'; after?: number } = {},
): Promise<Sync> {
  const before = dataRequests(erp)
  erp.control.set({ latencyMs: 15 })
  const { ID } = await startSync({ source, mode })
  while (dataRequests(erp) < before + after) await sleep(2)
  await inTheMiddle()
  const result = await finished(ID)
  erp.control.set({ latencyMs: 0 })
  return result
}

const dataRequests = ({ log }: Erp) => log.filter(({ data }) => data).length

/** What went wrong, by stream. */
export const codesOf = ({ issues }: Sync) =>
  Object.fromEntries(issues.map(({ stream, code }) => [stream, code]))
