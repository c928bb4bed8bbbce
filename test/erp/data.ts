// Requests for data: who may read what, and the answer with the fault that it meets.
import { SCOPES } from './behaviour.ts'
import { send, sendHtml, redirect } from './http.ts'
import { logonPage, unauthorizedPage } from './oauth/page.ts'
import { Refusal, errorBody } from './odata/error.ts'
import { metadataXml } from './odata/metadata.ts'
import { openPage } from './odata/page.ts'
import { release } from './odata/out.ts'
import { parseQuery } from './odata/query.ts'
import { writePage } from './odata/write-page.ts'
import { retryAfter } from './throttle.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Fault } from './faults.ts'
import type { PageRequest } from './odata/write-page.ts'
import type { EntitySet, Service } from './odata/set.ts'
import type { LogEntry, State } from './state.ts'

/** Rows of a V4 page without `$top`. */
const V4_PAGE = 100

export async function data(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
  entry: LogEntry,
): Promise<void> {
  const { behaviour, gate } = state
  const refused = gate.enter(behaviour.throttle)
  response.once('close', () => gate.leave())
  const fault = state.faults.take(`${entry.method} ${entry.path}${decode(entry.query)}`)
  if (fault) entry.fault = fault.kind
  const delay = behaviour.latencyMs + (fault?.kind === 'slow' ? (fault.delayMs ?? 1000) : 0)
  if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
  if (fault && interrupt(fault, request, response)) return
  const service = state.services.find(({ path }) => `${entry.path}/`.startsWith(`${path}/`))
  const version = service?.version ?? (entry.path.startsWith('/sap/opu/odata4/') ? 4 : 2)
  try {
    if (refused && behaviour.throttle) {
      const wait = retryAfter(behaviour.throttle, state.clock.now())
      if (wait !== null) response.setHeader('retry-after', wait)
      throw new Refusal(behaviour.throttle.status ?? 429, 'Too many requests', '429')
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      throw new Refusal(405, `Method ${request.method} not allowed`, '/IWFND/CM_CONSUMER/101')
    }
    const open = service && permitted(state, service, request)
    if (open === null) {
      response.setHeader('www-authenticate', 'Bearer realm="SAP", Basic realm="SAP"')
      return sendHtml(response, 401, unauthorizedPage)
    }
    await answer(state, open, response, entry, fault, request.headers.accept ?? '')
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const body = errorBody(version, error)
    send(response, error.status, 'application/json;charset=utf-8', body)
  }
}

function decode(query: string): string {
  try {
    return decodeURIComponent(query.replaceAll('+', ' '))
  } catch {
    return query
  }
}

/** Faults that stand in the place of an answer. */
function interrupt(fault: Fault, request: IncomingMessage, response: ServerResponse): boolean {
  switch (fault.kind) {
    case 'status': {
      if (fault.retryAfter !== undefined) response.setHeader('retry-after', fault.retryAfter)
      const status = fault.status ?? 503
      const refusal = new Refusal(status, `Fault ${status}`, String(status))
      send(response, status, 'application/json;charset=utf-8', errorBody(2, refusal))
      return true
    }
    case 'drop':
      request.socket.destroy()
      return true
    case 'html':
      sendHtml(response, 200, logonPage)
      return true
    case 'redirect':
      redirect(response, fault.to ?? 'http://localhost:9/elsewhere')
      return true
    case 'hang':
      return true
    default:
      return false
  }
}

/** The service, if it may be read; null for nobody signed in. */
function permitted(state: State, service: Service, request: IncomingMessage): Service | null {
  const { behaviour, tokens } = state
  const [kind = '', value = ''] = (request.headers.authorization ?? '').split(' ')
  if (/^basic$/i.test(kind)) {
    if (!behaviour.auth.includes('basic') || `Basic ${value}` !== state.basic) return null
  } else {
    const grant = /^bearer$/i.test(kind) ? tokens.find(value) : null
    if (!grant) return null
    if (!grant.scopes.includes(SCOPES[service.name]!)) {
      throw new Refusal(403, `No scope for service ${service.name}`, '/IWFND/CM_CONSUMER/111')
    }
  }
  if (behaviour.forbidden.includes(service.name)) {
    throw new Refusal(403, `No authorization to access Service ${service.name}`, '/IWFND/MED/170')
  }
  return service
}

async function answer(
  state: State,
  service: Service | undefined,
  response: ServerResponse,
  entry: LogEntry,
  fault: Fault | null,
  accept: string,
): Promise<void> {
  if (!service || (service.version === 4 && !state.behaviour.v4)) {
    throw new Refusal(404, `No service found for ${entry.path}`, '/IWFND/MED/170')
  }
  const rest = entry.path.slice(service.path.length).replace(/^\//, '')
  if (rest === '$metadata') return send(response, 200, 'application/xml', metadataXml(service))
  if (rest === '') return serviceDocument(service, response)
  const [, name = '', count] = /^(\w+)(\/\$count)?$/.exec(rest) ?? []
  const set = service.sets.get(name)
  if (!set)
    throw new Refusal(404, `Resource not found for segment '${rest}'`, '/IWBEP/CM_MGW_RT/010')
  const page = pageRequest(state, service, set, entry, accept, response)
  if (count) {
    const total = openPage(set, page.query, page.limits).total()
    return send(response, 200, 'text/plain;charset=utf-8', String(total))
  }
  bend(page, fault, entry)
  await stream(page, response, entry, fault)
}

function serviceDocument({ sets, version }: Service, response: ServerResponse): void {
  const names = [...sets.keys()]
  const body =
    version === 2
      ? { d: { EntitySets: names } }
      : { value: names.map((name) => ({ name, url: name, kind: 'EntitySet' })) }
  send(response, 200, 'application/json;charset=utf-8', JSON.stringify(body))
}

function pageRequest(
  state: State,
  service: Service,
  set: EntitySet,
  entry: LogEntry,
  accept: string,
  response: ServerResponse,
): PageRequest {
  const { behaviour } = state
  const params = new URLSearchParams(entry.query)
  const query = parseQuery(set, params, service.version)
  const origin = `http://${response.req.headers.host ?? 'localhost'}`
  const page = service.version === 4 ? V4_PAGE : behaviour.defaultPage
  const serverDriven = behaviour.paging === 'server'
  const asked = query.token ? query.token.left : query.top
  const rows = Math.min(asked ?? page, behaviour.maxPage)
  const base = origin + service.path
  return {
    set,
    query,
    limits: { rows: serverDriven ? rows : Infinity, continues: serverDriven },
    format: {
      service,
      base,
      metadata: behaviour.rowMetadata,
      ieee754: /IEEE754Compatible=true/i.test(accept),
    },
    nextLink(token) {
      const following = new URLSearchParams(params)
      for (const name of ['$top', '$skip', '$inlinecount', '$count']) following.delete(name)
      following.set('$skiptoken', token)
      const address = `${set.name}?${following.toString().replaceAll('%24', '$').replaceAll('+', '%20')}`
      return service.version === 4 ? address : `${base}/${address}`
    },
  }
}

const before = new WeakMap<EntitySet, PageRequest>()

/** Faults in what a page says. */
function bend(page: PageRequest, fault: Fault | null, entry: LogEntry): void {
  const origin = page.format.base.slice(0, -page.format.service.path.length)
  const self = origin + page.format.service.path + '/' + page.set.name + entry.query
  const { query } = page
  if (fault?.kind === 'repeat') page.query = before.get(page.set)?.query ?? query
  else before.set(page.set, { ...page })
  if (fault?.kind === 'repeat' || fault?.kind === 'loop') page.nextLink = () => self
  if (fault?.kind === 'foreign') {
    const link = page.nextLink
    const to = fault.to ?? 'http://localhost:9'
    page.nextLink = (token) => {
      const address = link(token)
      return address.startsWith(origin) ? to + address.slice(origin.length) : `${to}/${address}`
    }
  }
}

/** Sends piece by piece, no faster than they are taken. */
async function stream(
  page: PageRequest,
  response: ServerResponse,
  entry: LogEntry,
  fault: Fault | null,
): Promise<void> {
  response.writeHead(200, {
    'content-type': 'application/json;charset=utf-8',
    'cache-control': 'no-store',
    ...(page.format.service.version === 2
      ? { dataserviceversion: '2.0' }
      : { 'odata-version': '4.0' }),
  })
  if (response.req.method === 'HEAD') return void response.end()
  const torn = fault?.kind === 'reset' || fault?.kind === 'truncate'
  const pieces = writePage(page)
  for (;;) {
    const { value, done } = pieces.next()
    if (done) {
      entry.rows = value
      break
    }
    if (torn) return tear(response, value.subarray(0, value.length / 2), fault)
    if (!response.write(value, () => release(value))) await drained(response)
    if (response.destroyed) return
  }
  response.end()
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })
}

function tear(response: ServerResponse, half: Buffer, fault: Fault): void {
  if (fault.kind === 'truncate') response.end(half)
  else response.write(half, () => setTimeout(() => response.socket?.resetAndDestroy(), 20))
}
