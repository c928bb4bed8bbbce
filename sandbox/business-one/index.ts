// A sandbox of the Service Layer of SAP Business One that shows a company: sessions, items with their warehouses,
// marketing documents.
//
//   const erp = await startBusinessOne(makeCompany({ size: 500 }))
//   erp.set({ sessionRequests: 3 })                            // the session is lost after three requests
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Company } from '../company/company.ts'
import { readText, sendJson } from '../http.ts'
import { preferredSize, V4Server } from '../v4/server.ts'
import type { V4Fault, V4LogEntry } from '../v4/server.ts'
import { readPage } from '../v4/set.ts'
import { DEFAULT_BEHAVIOUR } from './behaviour.ts'
import type { BusinessOneBehaviour } from './behaviour.ts'
import { floatOf, setsOf } from './sets.ts'
import { batchRows, runQuery } from './stored-query.ts'

export interface BusinessOneSandbox {
  url: string
  companyDb: string
  user: { name: string; password: string }
  company: Company
  log: V4LogEntry[]
  /** Sessions that were begun and not ended. */
  sessions(): number
  set(behaviour: Partial<BusinessOneBehaviour>): void
  fault(fault: V4Fault): void
  clearFaults(): void
  close(): Promise<void>
}

const COMPANY_DB = 'SBODEMO'
const USER = { name: 'restock', password: 'reader-1' }

export async function startBusinessOne(
  company: Company,
  { port = 0, ...wished }: Partial<BusinessOneBehaviour> & { port?: number } = {},
): Promise<BusinessOneSandbox> {
  const behaviour = { ...DEFAULT_BEHAVIOUR, ...wished }
  /** Requests left of each session. */
  const sessions = new Map<string, number>()
  const server = new V4Server(company.clock, async (request, response, url, entry) => {
    const { method } = request
    if (method === 'POST' && entry.path === '/b1s/v2/Login') {
      return logIn(request, response, sessions, behaviour)
    }
    if (method === 'POST' && entry.path === '/b1s/v2/Logout') {
      sessions.delete(sessionOf(request) ?? '')
      return void response.writeHead(204).end()
    }
    if (method !== 'GET') return refuse(response, 405, -1, 'Only reads are allowed here.')
    const fault = server.takeFault(url, response)
    if (fault === 'answered') return
    const session = sessionOf(request)
    const left = session === null ? undefined : sessions.get(session)
    if (session === null || !left) {
      sessions.delete(session ?? '')
      const { status, code } = behaviour.lostAs
      return refuse(response, status, code, 'Invalid session or session already timeout.')
    }
    sessions.set(session, left - 1)
    answer(company, behaviour, request, response, url, entry, fault?.linkTo)
  })
  return {
    url: await server.listen(port),
    ...{ companyDb: COMPANY_DB, user: USER, company, log: server.log },
    sessions: () => sessions.size,
    set: (some) => void Object.assign(behaviour, some),
    fault: (fault) => void server.faults.push({ ...fault }),
    clearFaults: () => void server.faults.splice(0),
    close: () => server.close(),
  }
}

async function logIn(
  request: IncomingMessage,
  response: ServerResponse,
  sessions: Map<string, number>,
  { sessionRequests }: BusinessOneBehaviour,
) {
  const body = JSON.parse(await readText(request)) as Record<string, string>
  const isRight =
    body.CompanyDB === COMPANY_DB && body.UserName === USER.name && body.Password === USER.password
  if (!isRight) return refuse(response, 401, -304, 'Fail to get DB Credentials from SLD')
  const id = randomUUID()
  sessions.set(id, sessionRequests ?? Infinity)
  response.setHeader('set-cookie', [
    `B1SESSION=${id}; HttpOnly; path=/b1s/v2`,
    'ROUTEID=.node2; path=/',
  ])
  sendJson(response, 200, { SessionId: id, Version: '1000260', SessionTimeout: 30 })
}

/** Null also where the load balancer would ask another node, which does not know the session. */
function sessionOf({ headers }: IncomingMessage): string | null {
  const cookies = headers.cookie ?? ''
  return cookies.includes('ROUTEID=.node2')
    ? (/B1SESSION=([\w-]+)/.exec(cookies)?.[1] ?? null)
    : null
}

function answer(
  company: Company,
  behaviour: BusinessOneBehaviour,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  entry: V4LogEntry,
  linkTo: string | undefined,
): void {
  const name = entry.path.slice('/b1s/v2/'.length)
  const most = Math.min(preferredSize(request) ?? behaviour.defaultPage, behaviour.maxPage)
  const code = /^SQLQueries\('([^']+)'\)\/List$/.exec(name)?.[1]
  if (code) {
    // Of a query that it has not it says the same as of one that the user may not run.
    if (code !== behaviour.batchesQuery || behaviour.forbidden.includes('SQLQueries'))
      return refuse(response, 403, -6006, 'You are not permitted to perform this action')
    const rows = batchRows(company, floatOf(behaviour))
    const result = runQuery(rows, name, url.searchParams, most)
    if (!result) return refuse(response, 400, 704, 'Parameter error')
    entry.rows = result.value.length
    return sendJson(response, 200, result)
  }
  const set = setsOf(company, behaviour)[name]
  if (!set) return refuse(response, 404, -2028, 'Invalid resource')
  if (behaviour.forbidden.includes(name)) return refuse(response, 403, -5006, 'No authorization')
  const without = behaviour.withoutWarehouses ? ['ItemWarehouseInfoCollection'] : []
  const { rows, next } = readPage(set, url.searchParams, { most, without })
  entry.rows = rows.length
  const link = linkTo ?? (next && `${name}?${next}`)
  sendJson(response, 200, { value: rows, ...(link && { '@odata.nextLink': link }) })
}

const refuse = (response: ServerResponse, status: number, code: number, message: string) =>
  sendJson(response, status, { error: { code, message } })
