// A small /v1 that speaks the contract, for commands that are run as a user runs them.
import { createServer } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: unknown
}

export interface Reply {
  status?: number
  /** JSON, or text and bytes as they are. */
  body?: unknown
  headers?: Record<string, string>
}

type Route = Reply | Reply[] | ((request: Received) => Reply)

export interface FakeApi {
  url: string
  port: number
  received: Received[]
  /** Answers to `METHOD /path`: one for all calls, one after another (the last stays), or computed. */
  on(route: string, reply: Route): void
  close(): Promise<void>
}

export async function startFakeApi(): Promise<FakeApi> {
  const routes = new Map<string, Route>()
  const received: Received[] = []
  const server = createServer((request, response) => {
    void read(request).then((seen) => {
      received.push(seen)
      const { status = 200, body, headers = {} } = answerOf(routes, seen)
      const isAsItIs = typeof body === 'string' || Buffer.isBuffer(body)
      const text = isAsItIs ? body : body === undefined ? '' : JSON.stringify(body)
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
      response.end(text)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    port,
    received,
    on: (route, reply) => void routes.set(route, reply),
    close: () => close(server),
  }
}

export function errorBody(code: string, message: string, more: object = {}): object {
  return { error: { code, message, request_id: 'req-1', ...more } }
}

function answerOf(routes: Map<string, Route>, seen: Received): Reply {
  const route = routes.get(`${seen.method} ${seen.path}`)
  if (route === undefined)
    return { status: 404, body: errorBody('not_found', 'There is no such path.') }
  if (typeof route === 'function') return route(seen)
  if (!Array.isArray(route)) return route
  return (route.length > 1 ? route.shift() : route[0]) ?? {}
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  const url = new URL(request.url ?? '/', 'http://localhost')
  return {
    method: request.method ?? '',
    path: url.pathname.replace(/^\/v1/, ''),
    query: url.searchParams,
    headers: request.headers,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

function close(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((done) => server.close(() => done()))
}
