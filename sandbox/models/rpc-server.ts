// The HTTP side of ERPs that are called by POST: a clock, a log, and answers that can be put in the way.
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../clock.ts'
import { readText } from '../http.ts'

export interface RpcLogEntry {
  method: string
  path: string
  /** `model.method`; empty until it is known. */
  call: string
  status: number
  rows: number
}

export interface RpcAnswer {
  status: number
  body: unknown
  headers?: Record<string, string>
}

export interface RpcRequest {
  path: string
  headers: IncomingMessage['headers']
  body: unknown
  entry: RpcLogEntry
}

export interface RpcServer {
  url: string
  log: RpcLogEntry[]
  /** The next call of data gets this answer instead. */
  answerOnce(answer: RpcAnswer): void
  close(): Promise<void>
}

/** @param isData whether a request is one that `answerOnce` is for */
export async function startRpcServer(
  clock: Clock,
  port: number,
  isData: (request: RpcRequest) => boolean,
  answer: (request: RpcRequest) => RpcAnswer,
): Promise<RpcServer> {
  const log: RpcLogEntry[] = []
  let once: RpcAnswer | null = null

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '/', headers } = request
    const entry: RpcLogEntry = { method, path: url, call: '', status: 0, rows: 0 }
    log.push(entry)
    const text = await readText(request)
    const body = parse(text)
    const one = { path: url, headers, body, entry }
    const refusal = once && isData(one) ? once : null
    if (refusal) once = null
    const given = refusal ?? (method === 'POST' ? answer(one) : { status: 405, body: {} })
    entry.status = given.status
    response.writeHead(given.status, {
      'content-type': 'application/json',
      date: new Date(clock.now()).toUTCString(),
      ...given.headers,
    })
    response.end(JSON.stringify(given.body))
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.writeHead(500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ message: String(error) }))
    })
  })
  server.keepAliveTimeout = 30_000
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    log,
    answerOnce: (given) => void (once = given),
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}
