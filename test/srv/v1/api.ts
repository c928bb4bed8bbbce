// A client for the tests of /v1: real HTTP against the real service, every answer held against the OpenAPI document.
import { issueKey, type KeyInput } from '../../../srv/v1/keys/issue.ts'
import { SCOPES } from '../../../srv/v1/keys/scopes.ts'
import { server } from '../../support/server.ts'
import { assertFits } from './contract.ts'

// Limits have tests of their own; here they would only stand in the way.
process.env.RESTOCK_RATE_LIMIT ??= 'off'

export interface Answer {
  status: number
  headers: Headers
  text: string
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever JSON the test expects
  json: any
}

export interface Options {
  key?: string | null
  body?: unknown
  /** Sent as it is. */
  raw?: string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
}

let everything: string | undefined

/** A key with every scope that decides as `approver`. */
export async function aKey(wish: Partial<KeyInput> = {}): Promise<string> {
  const { key } = await issueKey({ name: 'test', scopes: SCOPES, actsAs: 'approver', ...wish })
  return key
}

/** Calls /v1 with a key for everything unless told otherwise. */
export async function call(
  method: string,
  path: string,
  { key = undefined, body, raw, headers = {} }: Options = {},
): Promise<Answer> {
  const token = key === undefined ? (everything ??= await aKey()) : key
  const { url } = server as unknown as { url: string }
  const response = await fetch(`${url}/v1${path}`, {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: raw ?? (body === undefined ? undefined : JSON.stringify(body)),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  const answer = {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && method !== 'HEAD' ? JSON.parse(text) : undefined,
  }
  assertFits(method, path, answer)
  return answer
}

export const get = (path: string, options?: Options) => call('GET', path, options)
export const post = (path: string, body?: unknown, options?: Options) =>
  call('POST', path, { body, ...options })
export const del = (path: string, options?: Options) => call('DELETE', path, options)

/** The error of an answer, after a look at what all of them have in common. */
export function errorOf({ status, headers, json }: Answer) {
  expect(status).toBeGreaterThanOrEqual(400)
  expect(json.error.request_id).toBe(headers.get('x-request-id'))
  expect(json.error.message).toMatch(/\S/)
  const { code, target } = json.error
  return target === undefined ? { status, code } : { status, code, target }
}
