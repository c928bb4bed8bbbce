// A NetSuite account that a company runs: SuiteQL over HTTP, OAuth 2.0, and NetSuite's own traps.
//
//   const erp = await startNetsuite(makeCompany({ size: 500 }))
//   erp.company.sell(erp.company.pairs[0]!, 5)
//   erp.set({ missing: ['item.displayname', 'itemvendor'] })
//   erp.fault({ status: 429, retryAfter: '1' })
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Company } from '../company/company.ts'
import { readForm, readText, send, sendJson } from '../http.ts'
import { consentPage } from './consent-page.ts'
import { Database, QueryError } from './database.ts'
import { Authority, CERTIFICATE_ID, CLIENT } from './oauth.ts'
import { Tables } from './tables.ts'

export interface NetsuiteOptions {
  /** 0 takes a free one. */
  port?: number
  /** Of the user whose dates are shown. */
  timeZone?: string
}

export interface Behaviour {
  /** Columns and records that the account lacks, or the role may not see: `item.displayname`, `itemvendor`. */
  missing: string[]
  /** Whether `totalResults` is counted, which takes long in a large company. */
  totals: boolean
  /** Of whoever consents. */
  company: string
  role: string
  refreshHours: number
  latencyMs: number
}

/** What the next request for data is answered instead. */
export interface Fault {
  status: number
  retryAfter?: string | undefined
  /** In `o:errorDetails`. */
  code?: string
  /** Breaks the answer off in the middle. */
  cut?: boolean
  /** The answer links there. */
  link?: string
}

export interface LogEntry {
  method: string
  path: string
  status: number
  /** The SELECT, and the rows that it gave. */
  sql: string
  rows: number
}

export const ACCOUNT = '1234567_SB1'
export const ROLE = '1042'

const SUITEQL = '/services/rest/query/v1/suiteql'
const TOKEN = '/services/rest/auth/oauth2/v1/token'
const AUTHORIZE = '/app/login/oauth2/authorize.nl'
const MAX_ROWS = 100_000
const MAX_LIMIT = 1000

export type NetsuiteErp = Awaited<ReturnType<typeof startNetsuite>>

export async function startNetsuite(company: Company, options: NetsuiteOptions = {}) {
  const { port = 0, timeZone = 'America/Los_Angeles' } = options
  const behaviour: Behaviour = {
    ...{ missing: [], totals: true, company: ACCOUNT, role: ROLE, refreshHours: 168, latencyMs: 0 },
  }
  const authority = new Authority(company.clock)
  const log: LogEntry[] = []
  const faults: Fault[] = []
  let database = new Database()
  let tables = new Tables(company, database, timeZone)

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else problem(response, 500, 'UNEXPECTED_ERROR', String(error))
    })
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const method = request.method ?? ''
    const entry: LogEntry = { method, path: pathname, status: 0, sql: '', rows: 0 }
    log.push(entry)
    response.once('close', () => (entry.status = response.statusCode))
    response.setHeader('date', new Date(company.clock.now()).toUTCString())
    if (pathname === AUTHORIZE) return consentPage(authority, behaviour, request, response)
    if (pathname === TOKEN && method === 'POST') {
      const form = await readForm(request)
      authority.refreshHours = behaviour.refreshHours
      const url = `http://${request.headers.host}${TOKEN}`
      const { status, body } = await authority.token(form, request.headers.authorization ?? '', url)
      return sendJson(response, status, body)
    }
    if (pathname !== SUITEQL || method !== 'POST') {
      return problem(response, 403, 'INSUFFICIENT_PERMISSION', 'The role only views.')
    }
    await query(request, response, searchParams, entry)
  }

  async function query(
    request: IncomingMessage,
    response: ServerResponse,
    parameters: URLSearchParams,
    entry: LogEntry,
  ): Promise<void> {
    const body = await readText(request)
    if (!authority.isValid(request.headers.authorization)) {
      return problem(response, 401, 'INVALID_LOGIN', 'Invalid login attempt.')
    }
    const fault = faults.shift()
    if (fault && fault.status >= 300) {
      if (fault.retryAfter !== undefined) response.setHeader('retry-after', fault.retryAfter)
      return problem(response, fault.status, fault.code ?? 'ERROR', 'An injected fault.')
    }
    if (!/\btransient\b/.test(String(request.headers.prefer))) {
      return problem(response, 400, 'INVALID_HEADER', 'The Prefer: transient header is missing.')
    }
    if (behaviour.latencyMs) await sleep(behaviour.latencyMs)
    const limit = Number(parameters.get('limit') ?? MAX_LIMIT)
    const offset = Number(parameters.get('offset') ?? 0)
    if (!(limit >= 1 && limit <= MAX_LIMIT) || offset % limit !== 0) {
      return problem(response, 400, 'INVALID_PARAMETER', 'limit or offset is invalid.')
    }
    if (offset + limit > MAX_ROWS) {
      return problem(response, 400, 'INVALID_PARAMETER', 'A query has at most 100000 results.')
    }
    tables.refresh()
    const { q = '' } = JSON.parse(body) as { q?: string }
    entry.sql = q
    try {
      const { rows, hasMore } = database.select(q, limit, offset)
      entry.rows = rows.length
      const self = `http://${request.headers.host}${SUITEQL}?limit=${limit}&offset=`
      const next = fault?.link ?? `${self}${offset + limit}`
      const links = [
        ...(hasMore || fault?.link ? [{ rel: 'next', href: next }] : []),
        { rel: 'self', href: `${self}${offset}` },
      ]
      const total = behaviour.totals ? { totalResults: database.count(q) } : {}
      const text = JSON.stringify({
        links,
        count: rows.length,
        hasMore,
        items: rows,
        offset,
        ...total,
      })
      const whole = fault?.cut ? text.slice(0, text.length / 2) : text
      send(
        response,
        200,
        'application/vnd.oracle.resource+json; type=collection; charset=UTF-8',
        whole,
      )
    } catch (error) {
      if (!(error instanceof QueryError)) throw error
      problem(response, 400, 'INVALID_PARAMETER', error.message)
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })

  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    ...{
      company,
      log,
      client: CLIENT,
      account: ACCOUNT,
      role: ROLE,
      certificateId: CERTIFICATE_ID,
    },
    privateKey: authority.privateKey,
    /** An Authorization header that is valid for an hour of the company's clock. */
    header: () => `Bearer ${authority.issue()}`,
    refreshes: () => authority.refreshes,
    revokeAccess: () => authority.revokeAccess(),
    fault: (...next: Fault[]) => void faults.push(...next),
    clearFaults: () => void faults.splice(0),
    set(change: Partial<Behaviour>) {
      Object.assign(behaviour, change)
      if (!change.missing) return
      database.close()
      database = new Database(change.missing)
      tables = new Tables(company, database, timeZone)
    },
    /** What a company has no word for; it does not outlast a change of the company. */
    execute(sql: string) {
      tables.refresh()
      database.execute(sql)
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
      database.close()
    },
  }
}

function problem(response: ServerResponse, status: number, code: string, detail: string): void {
  const body = {
    ...{ type: 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5', title: 'Error', status },
    'o:errorDetails': [{ detail, 'o:errorCode': code }],
  }
  const type = 'application/vnd.oracle.resource+json; type=error; charset=UTF-8'
  send(response, status, type, JSON.stringify(body))
}
