import { names } from '../rows/names.ts'
import type { Credentials } from '../adapter.ts'
import { Fatal, Retriable } from '../errors.ts'
import type { HttpClient } from '../http/client.ts'
import { retryTransient } from '../http/retry.ts'
import { assertCall, type CallList } from '../rpc/reader.ts'
import { readUser, type User } from '../user.ts'

/** How a method of a model is called: JSON-2 or JSON-RPC. */
export interface Transport {
  /** @param args the named arguments, `context` among them */
  call<T>(
    model: string,
    method: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<{ result: T; serverTime: number | null }>
}

const READS = ['search_read', 'search_count', 'fields_get']

/** All that is ever called; of the service `common` only `version` and `authenticate` besides. */
const CALLS: CallList = Object.fromEntries(
  [
    ...['product.product', 'product.supplierinfo', 'purchase.order', 'purchase.order.line'],
    ...['purchase.requisition', 'purchase.requisition.line', 'stock.picking.type'],
    ...names('res.company res.partner sale.order sale.order.line stock.location stock.move'),
    ...['stock.lot', 'stock.quant', 'stock.warehouse', 'stock.warehouse.orderpoint', 'uom.uom'],
  ].map((model) => [model, READS]),
)

export const JSON2_PATHS = Object.entries(CALLS).flatMap(([model, methods]) =>
  methods.map((method) => `/json/2/${model}/${method}`),
)

export const JSONRPC_PATH = '/jsonrpc'

// JSON-2, from Odoo 19 on: a path for each method, named arguments, errors by HTTP status.

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

// JSON-RPC, before Odoo 19: one path for everything, positional arguments, errors inside HTTP 200.

interface RpcAnswer<T> {
  result?: T
  error?: { message?: string; data?: { name?: string; message?: string } }
}

interface Login {
  uid: number
  user: User
}

/** Which Odoo this is; asked for without a user. @returns null where nobody answers there */
export async function versionOf(http: HttpClient, signal: AbortSignal): Promise<number | null> {
  try {
    const body = bodyOf('common', 'version', [])
    const url = http.address.url(JSONRPC_PATH)
    const answer = await http.post<RpcAnswer<{ server_version_info?: unknown[] }>>(
      url,
      body,
      signal,
    )
    const [major] = answer.body.result?.server_version_info ?? []
    // Odoo Online says `saas~18.2`.
    const number = Number(String(major ?? '').replace(/^\D+/, ''))
    return Number.isFinite(number) && number > 0 ? number : null
  } catch (error) {
    if (error instanceof Fatal && error.code === 'not_found') return null
    throw error
  }
}

export class JsonRpc implements Transport {
  readonly #http: HttpClient
  readonly #database: string
  readonly #users: Credentials | null | undefined
  #login: Promise<Login> | null = null

  constructor(http: HttpClient, database: string, users: Credentials | null | undefined) {
    this.#http = http
    this.#database = database
    this.#users = users
  }

  async call<T>(
    model: string,
    method: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<{ result: T; serverTime: number | null }> {
    assertCall(CALLS, model, method)
    return retryTransient(async () => {
      const login = await this.#logOn(signal)
      try {
        return await this.#execute<T>(login, model, method, args, signal)
      } catch (error) {
        if (!(error instanceof Fatal) || error.code !== 'unauthorized') throw error
        return this.#execute<T>(await this.#logOn(signal, login), model, method, args, signal)
      }
    }, signal)
  }

  #execute<T>(
    { uid, user }: Login,
    model: string,
    method: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
  ) {
    const positional = [this.#database, uid, user.password, model, method, [], args]
    return this.#send<T>('object', 'execute_kw', positional, model, signal)
  }

  #logOn(signal: AbortSignal, refused?: Login): Promise<Login> {
    if (refused) this.#login = null
    if (!this.#login) {
      this.#login = this.#authenticate(signal, refused?.user)
      this.#login.catch(() => (this.#login = null))
    }
    return this.#login
  }

  async #authenticate(signal: AbortSignal, refused?: User): Promise<Login> {
    for (let user = await readUser(this.#users, refused?.header); ;) {
      const args = [this.#database, user.name, user.password, {}]
      const { result } = await this.#send<number | false>(
        ...(['common', 'authenticate', args, 'authenticate', signal] as const),
      )
      if (result) return { uid: result, user }
      // Told as refused, the credentials say that a new consent is needed, or give another user.
      user = await readUser(this.#users, user.header)
    }
  }

  async #send<T>(
    service: string,
    method: string,
    args: unknown[],
    about: string,
    signal: AbortSignal,
  ): Promise<{ result: T; serverTime: number | null }> {
    const url = this.#http.address.url(JSONRPC_PATH)
    const body = bodyOf(service, method, args)
    const answer = await this.#http.post<RpcAnswer<T>>(url, body, signal)
    if (answer.body.error) throw failureOf(about, answer.body.error)
    return { result: answer.body.result as T, serverTime: answer.serverTime }
  }
}

const bodyOf = (service: string, method: string, args: unknown[]) => ({
  ...{ jsonrpc: '2.0', method: 'call', id: 1, params: { service, method, args } },
})

const BUSY = /SerializationFailure|OperationalError|LockNotAvailable|PoolError/
const MESSAGE_LENGTH = 300
/** As PostgreSQL says it; a name has at most 63 bytes, its quotation marks are doubled. */
const NO_DATABASE = /database ".{1,126}" does not exist/

function failureOf(about: string, { message, data }: NonNullable<RpcAnswer<unknown>['error']>) {
  const said = String(data?.message ?? message ?? '')
  const text = `${about}: ${said.replace(/\s+/g, ' ').slice(0, MESSAGE_LENGTH)}`
  const name = data?.name ?? ''
  if (NO_DATABASE.test(said)) {
    return new Fatal('missing_database', 'This Odoo has no such database.', 'options.database')
  }
  if (BUSY.test(name)) return new Retriable(text)
  if (/AccessDenied|SessionExpired/.test(name)) return new Fatal('unauthorized', text)
  if (/AccessError/.test(name)) return new Fatal('forbidden', text)
  // A model of a module that is not installed.
  if (/KeyError/.test(name) || /doesn't exist/.test(said)) return new Fatal('not_found', text)
  return new Fatal('request_refused', text)
}
