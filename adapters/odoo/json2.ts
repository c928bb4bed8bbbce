// JSON-2, from Odoo 19 on: a path for each method, named arguments, errors by HTTP status.
import type { Credentials } from '../adapter.ts'
import type { HttpClient } from '../http/client.ts'
import { assertCall } from '../rpc/calls.ts'
import { readUser } from '../user.ts'
import { CALLS } from './models.ts'
import type { Transport } from './transport.ts'

/** The API key, which stands as the password of the user, as a bearer token. */
export function bearerOf(users: Credentials | null | undefined): Credentials {
  const headers = new Map<string, string>()
  return {
    async authorization(refused) {
      const user = await readUser(users, refused && headers.get(refused))
      const bearer = `Bearer ${user.password}`
      headers.set(bearer, user.header)
      return bearer
    },
  }
}

/** @param database where an address has several */
export const json2 = (http: HttpClient, database?: string): Transport => ({
  async call<T>(model: string, method: string, args: object, signal: AbortSignal) {
    assertCall(CALLS, model, method)
    const headers = database ? { 'x-odoo-database': database } : undefined
    const url = http.address.url(`/json/2/${model}/${method}`)
    const { body, serverTime } = await http.post<T>(url, args, signal, headers)
    return { result: body, serverTime }
  },
})
