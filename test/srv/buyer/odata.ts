// Calls the buyer service over HTTP, signed in as one of the mocked users.
import type * as Buyer from '#cds-models/BuyerService'
import { answerOf, type ODataAt } from '../../support/odata-at.ts'
import { serverUrl } from '../../support/server.ts'

interface Call {
  as?: string
  body?: unknown
  headers?: Record<string, string>
}

const basic = (user: string) => `Basic ${Buffer.from(`${user}:${user}`).toString('base64')}`

type At<P extends string> = ODataAt<typeof Buyer, P>

export async function odata<const P extends string>(
  method: string,
  path: P,
  { as = 'buyer', body, headers }: Call = {},
) {
  const url = serverUrl()
  const response = await fetch(`${url}/odata/v4/buyer/${path}`, {
    method,
    headers: {
      ...(as && { Authorization: basic(as) }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  return answerOf<At<P>>(response)
}

export const read = <const P extends string>(path: P, call?: Call) => odata('GET', path, call)

/** Decides about a proposal by one of its actions. */
export const decide = (ID: number, action: string, body: object = {}, call: Call = {}) =>
  odata('POST', `Proposals(${ID})/BuyerService.${action as 'approve'}`, { body, ...call })
