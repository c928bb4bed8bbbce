// A client for the tests of /odata/v4/admin: real HTTP as one of the configured users.
import type * as Admin from '#cds-models/AdminService'
import { answerOf, type ODataAnswer, type ODataAt } from '../../support/odata-at.ts'
import { serverUrl } from '../../support/server.ts'

process.env.RESTOCK_WEBHOOKS_ALLOW_PRIVATE = 'true'

type At<P extends string> = ODataAt<typeof Admin, P, 'Health'>

/** Calls the admin service as this user, whose password is the name. */
export async function call<const P extends string>(
  method: string,
  path: P,
  { as = 'admin', body, language }: { as?: string; body?: unknown; language?: string } = {},
) {
  const url = serverUrl()
  const response = await fetch(`${url}/odata/v4/admin/${path}`, {
    method,
    headers: {
      Authorization: `Basic ${Buffer.from(`${as}:${as}`).toString('base64')}`,
      ...(language && { 'Accept-Language': language }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  return { ...(await answerOf<At<P>>(response)), headers: response.headers }
}

export const get = <const P extends string>(path: P, as = 'admin') => call('GET', path, { as })

/** The path of an action whose name has no namespace. */
type Qualified<P extends string> = P extends `${infer Head}/${infer Name}`
  ? `${Head}/AdminService.${Name}`
  : P

/** An action; its name without the namespace. */
export const act = <const P extends string>(path: P, body: object = {}, as = 'admin') =>
  call('POST', path.replace(/\/(\w+)$/, '/AdminService.$1') as Qualified<P>, { as, body })

/** The rows of a list. */
export async function rows<const P extends string>(path: P, language?: string) {
  const { value } = (await call('GET', path, { ...(language && { language }) })).json as {
    value: RowOf<P>[]
  }
  return value
}
type RowOf<P extends string> = At<P> extends { value: (infer Row)[] } ? Row : never

/** What a refusal says. */
export const errorOf = ({ status, error }: ODataAnswer) => ({
  status,
  code: error?.code,
  target: error?.target,
})
