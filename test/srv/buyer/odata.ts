// Calls the buyer service over HTTP, signed in as one of the mocked users.
import { server } from '../../support/server.ts'

interface Call {
  as?: string
  body?: unknown
  headers?: Record<string, string>
}

const basic = (user: string) => `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}`

export async function odata(
  method: string,
  path: string,
  { as = 'buyer', body, headers }: Call = {},
) {
  const { url } = server as unknown as { url: string }
  const response = await fetch(`${url}/odata/v4/buyer/${path}`, {
    method,
    headers: {
      ...(as && { Authorization: basic(as) }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return { status: response.status, json: isJson ? JSON.parse(text) : undefined, text }
}

export const read = (path: string, call?: Call) => odata('GET', path, call)

/** Decides about a proposal by one of its actions. */
export const decide = (ID: number, action: string, body: object = {}, call: Call = {}) =>
  odata('POST', `Proposals(${ID})/BuyerService.${action}`, { body, ...call })
