// A client for the tests of /v1: real HTTP against the real service, every answer held against the OpenAPI document.
import cds from '@sap/cds'
import { type IssuedKey, issueKey, type KeyInput, SCOPES } from '../../../srv/domain/keys/index.ts'
import type { ApiError } from '../../../client/types.ts'
import type { DataAt } from '../../support/data-at.ts'
import { serverUrl } from '../../support/server.ts'
import { assertFits } from './contract.ts'

// Limits have tests of their own; here they would only stand in the way.
process.env.RESTOCK_RATE_LIMIT ??= 'off'

export interface Answer<Data = unknown> {
  status: number
  headers: Headers
  text: string
  /** As the path is documented to answer a success. */
  json: Data
  /** Of a refusal. */
  error: ApiError | undefined
}

export interface Options {
  key?: string | null
  body?: unknown
  /** Sent as it is. */
  raw?: string | Uint8Array<ArrayBuffer>
  headers?: Record<string, string>
}

let everything: string | undefined

/** A key with every scope that decides as `approver`, issued by whoever it acts as. */
export async function aKey(wish: Partial<KeyInput> = {}): Promise<string> {
  const input = { name: 'test', scopes: SCOPES, actsAs: 'approver', ...wish }
  const user = { id: input.actsAs ?? 'admin', roles: [], attr: {} }
  const { key } = await cds.tx<Promise<IssuedKey>>({ user }, () => issueKey(input))
  return key
}

/** Calls /v1 with a key for everything unless told otherwise. */
export async function call<const M extends string, const P extends string>(
  method: M,
  path: P,
  { key = undefined, body, raw, headers = {} }: Options = {},
): Promise<Answer<DataAt<M, P>>> {
  const token = key === undefined ? (everything ??= await aKey()) : key
  const response = await fetch(`${serverUrl()}/v1${path}`, {
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
  const json = isJson && method !== 'HEAD' ? (JSON.parse(text) as unknown) : undefined
  const answer = {
    status: response.status,
    headers: response.headers,
    text,
    json: json as DataAt<M, P>,
    error: response.ok ? undefined : (json as { error: ApiError } | undefined)?.error,
  }
  assertFits(method, path, answer)
  return answer
}

export const get = <const P extends string>(path: P, options?: Options) =>
  call('GET', path, options)
export const post = <const P extends string>(path: P, body?: unknown, options?: Options) =>
  call('POST', path, { body, ...options })
export const del = <const P extends string>(path: P, options?: Options) =>
  call('DELETE', path, options)

/** The error of an answer, after a look at what all of them have in common. */
export function errorOf({ status, headers, error }: Answer) {
  expect(status).toBeGreaterThanOrEqual(400)
  expect(error).toMatchObject({
    request_id: headers.get('x-request-id'),
    message: expect.stringMatching(/\S/),
  })
  const { code, target } = error!
  return target === undefined ? { status, code } : { status, code, target }
}
