// Calls methods of Tryton's models by JSON-RPC: a POST to the database's path for each call.
import { objectsIn } from '../rows/objects.ts'
import { Fatal, isUnreadable, Retriable } from '../errors.ts'
import type { HttpClient } from '../http/client.ts'
import { retryTransient } from '../http/retry.ts'
import {
  assertCall,
  type CallList,
  type Domain,
  type ModelPage,
  type ModelQuery,
  type ModelReader,
  type ModelRow,
} from '../rpc/reader.ts'
import type { TrytonOptions } from './options.ts'

interface RpcAnswer<T> {
  result?: T
  /** Errors come with status 200: `["UserError", ["message", …]]`, or `["message", "traceback"]`. */
  error?: unknown[]
}

export class TrytonClient implements ModelReader {
  readonly pageSize: number
  readonly #http: HttpClient
  readonly #path: string
  readonly #context: (signal: AbortSignal) => Promise<Record<string, unknown>>

  constructor(
    http: HttpClient,
    path: string,
    pageSize: number,
    context: (signal: AbortSignal) => Promise<Record<string, unknown>>,
  ) {
    this.#http = http
    this.#path = path
    this.pageSize = pageSize
    this.#context = context
  }

  async search<Row extends ModelRow>(
    { model, domain, fields, context, newestFirst }: ModelQuery,
    limit: number,
    signal: AbortSignal,
  ): Promise<ModelPage<Row>> {
    const all = { ...(await this.#context(signal)), ...context }
    return this.searchIn<Row>(all, { model, domain, fields, newestFirst }, limit, signal)
  }

  /** A search in this context alone, before the company is known. */
  async searchIn<Row extends ModelRow>(
    context: Record<string, unknown>,
    { model, domain, fields, newestFirst }: ModelQuery,
    limit: number,
    signal: AbortSignal,
  ): Promise<ModelPage<Row>> {
    const args = [domain, 0, limit, [['id', newestFirst ? 'DESC' : 'ASC']], fields]
    const { result, serverTime } = await this.call<Row[]>(
      ...([model, 'search_read', args, context, signal] as const),
    )
    const rows = objectsIn<Row>(result, `${model}: Tryton answers without a list of records.`)
    return { rows, serverTime }
  }

  /** Whether there is such a model, be it readable or not. */
  async knows(model: string, signal: AbortSignal): Promise<boolean> {
    try {
      await this.count({ model, domain: [['id', '=', 0]] }, signal)
      return true
    } catch (error) {
      if (!isUnreadable(error)) throw error
      return error.code === 'forbidden'
    }
  }

  async count(
    { model, domain }: Pick<ModelQuery, 'model' | 'domain'>,
    signal: AbortSignal,
  ): Promise<number> {
    const context = await this.#context(signal)
    const { result } = await this.call<number>(model, 'search_count', [domain], context, signal)
    return Number(result)
  }

  async now(signal: AbortSignal): Promise<number> {
    const query = { model: 'company.company', domain: [], fields: ['id'] }
    return (await this.search(query, 1, signal)).serverTime ?? Date.now()
  }

  anyOf(...domains: Domain[]): unknown {
    return ['OR', ...domains]
  }

  /** Tryton's server keeps times in UTC. */
  instant(at: number): unknown {
    const time = new Date(at)
    return {
      __class__: 'datetime',
      ...{ year: time.getUTCFullYear(), month: time.getUTCMonth() + 1, day: time.getUTCDate() },
      ...{ hour: time.getUTCHours(), minute: time.getUTCMinutes() },
      ...{ second: time.getUTCSeconds(), microsecond: 0 },
    }
  }

  /** @throws Fatal forbidden, request_refused, or as {@link HttpClient.post}; Retriable */
  async call<T>(
    model: string,
    method: string,
    args: unknown[],
    context: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<{ result: T; serverTime: number | null }> {
    assertCall(CALLS, model, method)
    const request = { id: 1, method: `model.${model}.${method}`, params: [...args, context] }
    const url = this.#http.address.url(this.#path)
    const attempt = async () => {
      const { body, serverTime } = await this.#http.post<RpcAnswer<T>>(url, request, signal)
      if (body.error) throw failureOf(model, body.error)
      return { result: body.result as T, serverTime }
    }
    return retryTransient(attempt, signal)
  }
}

const BUSY = /OperationalError|could not serialize|database is locked|ConcurrencyException/i
const MESSAGE_LENGTH = 300

function failureOf(model: string, [kind, detail]: unknown[]): Fatal | Retriable {
  const said = Array.isArray(detail) ? String(detail[0]) : String(kind)
  const message = `${model}: ${said.replace(/\s+/g, ' ').slice(0, MESSAGE_LENGTH)}`
  if (BUSY.test(`${String(kind)} ${said}`)) return new Retriable(message)
  // What a user may not read, and nothing else that is asked for, is refused by a message for users.
  if (kind === 'UserError') return new Fatal('forbidden', message)
  if (said === `'${model}'`) {
    return new Fatal('not_found', `${model}: this Tryton does not have the module.`)
  }
  return new Fatal('request_refused', message)
}

const READS = ['search_read', 'search_count']

/** All that is ever called. */
const CALLS: CallList = {
  'company.company': READS,
  'party.party': READS,
  'product.product': READS,
  'product.template': READS,
  'product.uom': READS,
  production: READS,
  'purchase.line': READS,
  'purchase.request': READS,
  'purchase.line.component': READS,
  'purchase.product_supplier': READS,
  'purchase.product_supplier.price': READS,
  'purchase.purchase': READS,
  'res.user': ['get_preferences'],
  'sale.line': READS,
  'sale.line.component': READS,
  'sale.sale': READS,
  'stock.location': READS,
  'stock.move': READS,
  'stock.order_point': READS,
  'stock.shipment.in': READS,
  'stock.shipment.in.return': READS,
  'stock.shipment.internal': READS,
  'stock.shipment.out': READS,
  'stock.shipment.out.return': READS,
}

/** What reading places and quantities needs of a company. */
export interface Reads {
  readonly client: TrytonClient
  readonly options: TrytonOptions
  company(signal: AbortSignal): Promise<number>
}
