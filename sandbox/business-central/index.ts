// A sandbox of Business Central that shows a company: the standard and the analytics API, published web services
// with planning fields, and the part of Entra ID that grants tokens.
//
//   const erp = await startBusinessCentral(makeCompany({ size: 500 }))
//   erp.company.sell(erp.company.pairs[0]!, 5)
//   erp.set({ refuseAbove: 500 })
//   erp.fault({ status: 429 })
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Company } from '../company/company.ts'
import { sendJson } from '../http.ts'
import { preferredSize, V4Server } from '../v4/server.ts'
import type { V4Fault, V4LogEntry } from '../v4/server.ts'
import { readPage } from '../v4/set.ts'
import type { V4Set } from '../v4/set.ts'
import { DEFAULT_BEHAVIOUR } from './behaviour.ts'
import type { BusinessCentralBehaviour } from './behaviour.ts'
import { CLIENT, Entra } from './entra.ts'
import { setsOf } from './sets.ts'

export { CLIENT } from './entra.ts'

export interface BusinessCentralSandbox {
  url: string
  /** Where the APIs are. */
  baseUrl: string
  tenant: string
  client: typeof CLIENT
  /** Authorization header of a user with a web service access key. */
  basic: string
  company: Company
  log: V4LogEntry[]
  set(behaviour: Partial<BusinessCentralBehaviour>): void
  fault(fault: V4Fault): void
  clearFaults(): void
  close(): Promise<void>
}

const TENANT = 'contoso.example'
const BASIC = `Basic ${Buffer.from('reader:key').toString('base64')}`
const PREFIX = `/v2.0/${TENANT}/Production`

export async function startBusinessCentral(
  company: Company,
  { port = 0, ...wished }: Partial<BusinessCentralBehaviour> & { port?: number } = {},
): Promise<BusinessCentralSandbox> {
  const behaviour = { ...DEFAULT_BEHAVIOUR, ...wished }
  const entra = new Entra(behaviour)
  const server = new V4Server(company.clock, async (request, response, address, entry) => {
    if (address.pathname.endsWith('/oauth2/v2.0/authorize'))
      return entra.authorize(address, response)
    if (address.pathname.endsWith('/oauth2/v2.0/token')) return entra.token(request, response)
    answer({ company, behaviour, server, entra }, request, response, address, entry)
  })
  const url = await server.listen(port)
  return {
    ...{ url, baseUrl: url + PREFIX, tenant: TENANT, client: CLIENT, basic: BASIC, company },
    log: server.log,
    set: (some) => void Object.assign(behaviour, some),
    fault: (fault) => void server.faults.push({ ...fault }),
    clearFaults: () => void server.faults.splice(0),
    close: () => server.close(),
  }
}

interface State {
  company: Company
  behaviour: BusinessCentralBehaviour
  server: V4Server
  entra: Entra
}

function answer(
  { company, behaviour, server, entra }: State,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  entry: V4LogEntry,
): void {
  if (request.method !== 'GET') return refuse(response, 405, 'Request_NotAllowed')
  const fault = server.takeFault(url, response)
  if (fault === 'answered') return
  const { authorization } = request.headers
  if (authorization !== BASIC && !entra.isValid(authorization)) {
    return refuse(response, 401, 'Authentication_InvalidCredentials')
  }
  const path = entry.path.slice(PREFIX.length)
  if (path === '/api/v2.0/companies') return sendJson(response, 200, { value: behaviour.companies })
  const [, kind, id, name] =
    /^\/(api\/v2\.0|api\/microsoft\/analytics\/v1\.0|ODataV4)\/\w+\((?:Id=)?([\w-]+)\)\/(\w+)$/.exec(
      path,
    ) ?? []
  if (!behaviour.companies.some((one) => one.id === id)) return refuse(response, 404, 'NotFound')
  if (behaviour.forbidden.includes(name!)) return refuse(response, 403, 'Internal_TableDataRead')
  if (name === 'companyInformation') return sendJson(response, 200, { currencyCode: 'EUR' })
  const { standard, analytics, published } = setsOf(company, behaviour)
  const group = { 'api/v2.0': standard, ODataV4: published }[kind!] ?? analytics
  const set: V4Set | undefined = group[name!]
  if (!set) return refuse(response, 404, 'BadRequest_NotFound')
  const wanted = preferredSize(request) ?? behaviour.maxPage
  if (behaviour.refuseAbove !== null && wanted > behaviour.refuseAbove) {
    return refuse(response, 413, 'RequestEntityTooLarge')
  }
  const most = Math.min(wanted, behaviour.maxPage)
  const { rows, next } = readPage(set, url.searchParams, { most })
  entry.rows = rows.length
  const link = fault?.linkTo ?? (next && `http://${request.headers.host}${url.pathname}?${next}`)
  sendJson(response, 200, { value: rows, ...(link && { '@odata.nextLink': link }) })
}

const refuse = (response: ServerResponse, status: number, code: string) =>
  sendJson(response, status, {
    error: { code, message: `${code}.  CorrelationId:  0d4c2f0e-0000-4000-8000-000000000000.` },
  })
