// What the sandboxes of V4 systems have in common: a server that logs what it is asked, and misbehaves once where it is told to.
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../clock.ts'
import { sendJson } from '../http.ts'

/** Happens to requests for data, once unless told otherwise. */
export interface V4Fault {
  /** Only where path and query match. */
  match?: RegExp
  status?: number
  headers?: Record<string, string>
  body?: unknown
  /** The next page is said to be at this origin. */
  linkTo?: string
  /** So many requests are let through before. */
  skip?: number
  times?: number
}

export interface V4LogEntry {
  method: string
  /** Decoded, without the query. */
  path: string
  query: string
  headers: IncomingMessage['headers']
  status: number
  /** Rows that were answered. */
  rows: number
}

export type Handler = (
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  entry: V4LogEntry,
) => Promise<void> | void

/** A server whose clock is that of the company. */
export class V4Server {
  readonly log: V4LogEntry[] = []
  readonly faults: V4Fault[] = []
  readonly #server: Server

  constructor(clock: Clock, handle: Handler) {
    this.#server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://localhost')
      const path = decodeURIComponent(url.pathname)
      const { method = '', headers } = request
      const entry = { method, path, query: url.search, headers, status: 0, rows: 0 }
      this.log.push(entry)
      response.once('close', () => (entry.status = response.statusCode))
      response.setHeader('date', new Date(clock.now()).toUTCString())
      void (async () => {
        try {
          await handle(request, response, url, entry)
        } catch (error) {
          const status = error instanceof SyntaxError ? 400 : 500
          const message = error instanceof Error ? error.message : String(error)
          sendJson(response, status, { error: { code: 'BadRequest', message } })
        }
      })()
    })
  }

  async listen(port: number): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(port, 'localhost', resolve))
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`
  }

  /** The fault of this request, if it has one; one that answers instead of the data is sent. */
  takeFault(url: URL, response: ServerResponse): V4Fault | 'answered' | null {
    const text = decodeURIComponent(url.pathname + url.search)
    const fault = this.faults.find(({ match }) => !match || match.test(text))
    if (!fault) return null
    if (fault.skip) {
      fault.skip--
      return null
    }
    fault.times = (fault.times ?? 1) - 1
    if (fault.times <= 0) this.faults.splice(this.faults.indexOf(fault), 1)
    if (fault.status === undefined) return fault
    for (const [name, value] of Object.entries(fault.headers ?? {})) response.setHeader(name, value)
    sendJson(
      response,
      fault.status,
      fault.body ?? { error: { code: 'Fault', message: 'As told.' } },
    )
    return 'answered'
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

/** The rows of a page that a request prefers. */
export function preferredSize(request: IncomingMessage): number | null {
  const [, size] = /odata\.maxpagesize=(\d+)/.exec(String(request.headers.prefer ?? '')) ?? []
  return size === undefined ? null : Number(size)
}
