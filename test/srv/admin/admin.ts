// A client for the tests of /odata/v4/admin: real HTTP as one of the configured users.
import { server } from '../../support/server.ts'

process.env.RESTOCK_WEBHOOKS_ALLOW_PRIVATE = 'true'

export interface Answer {
  status: number
  text: string
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- whatever JSON the test expects
  json: any
}

/** Calls the admin service as this user, whose password is the name. */
export async function call(
  method: string,
  path: string,
  { as = 'admin', body }: { as?: string; body?: unknown } = {},
): Promise<Answer> {
  const { url } = server as unknown as { url: string }
  const response = await fetch(`${url}/odata/v4/admin/${path}`, {
    method,
    headers: {
      Authorization: `Basic ${Buffer.from(`${as}:${as}`).toString('base64')}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, text, json: text.startsWith('{') ? JSON.parse(text) : null }
}

export const get = (path: string, as = 'admin') => call('GET', path, { as })

/** An action; its name without the namespace. */
export const act = (path: string, body: object = {}, as = 'admin') =>
  call('POST', path.replace(/\/(\w+)$/, '/AdminService.$1'), { as, body })

export const rows = async (path: string) => (await get(path)).json.value

/** What a refusal says. */
export const errorOf = ({ status, json }: Answer) => ({
  status,
  code: json?.error?.code,
  target: json?.error?.target,
})
