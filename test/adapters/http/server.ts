// A server that answers as a test says, and remembers what it was asked.
import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Credentials } from '../../../adapters/adapter.ts'
import { HttpClient } from '../../../adapters/http/client.ts'
import type { HttpSettings } from '../../../adapters/http/client.ts'
import { Address } from '../../../adapters/http/address.ts'

export interface Asked {
  method: string
  url: string
  authorization: string | undefined
}

export async function startServer(answer: (asked: Asked, response: ServerResponse) => void) {
  const asked: Asked[] = []
  const listener: RequestListener = (request: IncomingMessage, response) => {
    const { method = '', url = '', headers } = request
    const one = { method, url, authorization: headers.authorization }
    asked.push(one)
    answer(one, response)
  }
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = (settings: Partial<HttpSettings> = {}) =>
    new HttpClient({
      address: Address.parse(url, 'account'),
      reads: { get: [/\/data\/\w+/], post: ['/query'] },
      credentials: null,
      concurrency: 2,
      ...settings,
    })
  const close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  return { url, asked, client, close }
}

export const json = (response: ServerResponse, body: unknown, headers = {}) =>
  response
    .writeHead(200, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body))

/** Tokens that are counted up with each refusal. */
export function countedTokens(): Credentials & { refused: string[] } {
  const refused: string[] = []
  return {
    refused,
    async authorization(one) {
      if (one) refused.push(one)
      return `Bearer token-${refused.length}`
    },
  }
}

export const SIGNAL = new AbortController().signal

/** What a promise is rejected with; null where it is not. */
export const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error as Error & { code?: string; afterMs?: number },
  )
