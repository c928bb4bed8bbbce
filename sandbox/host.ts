import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { controlRequest } from './control-endpoint.ts'
import { data } from './data/data.ts'
import { send, sendJson } from './http.ts'
import { authorize } from './oauth/authorize.ts'
import { token } from './oauth/token.ts'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LogEntry } from './log-entry.ts'
import type { State } from './state.ts'

/** The HTTP server, which can be restarted on the same port. */
export class Host {
  readonly #state: State
  #server: Server | null = null
  #port = 0

  constructor(state: State) {
    this.#state = state
  }

  get url(): string {
    return `http://localhost:${this.#port}`
  }

  async listen(port: number): Promise<void> {
    const server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy()
        else
          sendJson(response, 500, {
            error: { code: '500', message: { lang: 'en', value: String(error) } },
          })
      })
    })
    server.keepAliveTimeout = 30_000
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
    this.#server = server
    this.#port = (server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    const server = this.#server
    this.#server = null
    if (!server) return
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }

  /** Breaks all connections, refuses new ones for a while, then listens again. */
  async restart(down: number | Promise<void>): Promise<void> {
    await this.close()
    await (typeof down === 'number' ? sleep(down) : down)
    await this.listen(this.#port)
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const path = decodeURIComponent(url.pathname)
    if (path.startsWith('/__control')) {
      return controlRequest(this.#state, path, url.searchParams, request, response)
    }
    const entry = this.#record(request, response, path, url.search)
    const { clock, behaviour } = this.#state
    const skewed = new Date(clock.now() + behaviour.clockSkewSeconds * 1000)
    response.setHeader('date', skewed.toUTCString())
    if (path === '/sap/bc/sec/oauth2/authorize') return authorize(this.#state, request, response)
    if (path === '/sap/bc/sec/oauth2/token') return token(this.#state, request, response)
    if (entry.data) return data(this.#state, request, response, entry)
    send(response, 404, 'text/html', '<h1>404 Not Found</h1>')
  }

  #record(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    query: string,
  ): LogEntry {
    const at = Date.now()
    const data = path.startsWith('/sap/opu/')
    const concurrent = this.#state.gate.running + 1
    const method = request.method ?? ''
    const entry: LogEntry = { at, method, path, query, status: 0, data, rows: 0, ms: 0, concurrent }
    this.#state.log.push(entry)
    response.once('close', () => {
      entry.ms = Date.now() - at
      if (response.headersSent) entry.status = response.statusCode
    })
    return entry
  }
}
