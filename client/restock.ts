import { setTimeout as sleep } from 'node:timers/promises'
import { RestockError } from './error.ts'
import { addressOf, type Answer, type HttpRequest, send } from './http.ts'
import type {
  CallOptions,
  DataOf,
  InputArgs,
  ListPath,
  Method,
  Page,
  PathOf,
  RowOf,
} from './types.ts'

export interface RestockOptions {
  /** Address of the API, ends in `/v1`; default RESTOCK_URL, else a service on this machine. */
  url?: string | undefined
  /** `rsk_…`; default RESTOCK_API_KEY. */
  key?: string | undefined
  /** Timeout of one try, milliseconds; default 60,000. */
  timeout?: number
  /** Number of retries; default 3. */
  retries?: number
  /** Whether to retry after an error; default `isTransient`. */
  shouldRetry?(error: RestockError, method: Method): boolean
  /** Called before each wait. */
  onRetry?(retry: Retry): void
  fetch?: typeof fetch
}

export interface Retry {
  error: RestockError
  /** Wait before the retry. */
  seconds: number
  /** 1 for the first retry. */
  attempt: number
}

const LOCAL_URL = 'http://localhost:4004/v1'
const LONGEST_WAIT_S = 120
const DEFAULT_WAIT_S = 5

/**
 * Whether a call can be repeated safely: it was refused temporarily, or its connection broke. A POST has
 * an idempotency key; a repeated DELETE could answer 404 although the first one succeeded.
 */
export function isTransient({ code, status }: RestockError, method: Method): boolean {
  if (code === 'unreachable') return method !== 'delete'
  return status === 429 || (status === 503 && code !== 'unexpected_answer')
}

/**
 * A typed client of /v1. Every method throws `RestockError` if the call fails.
 *
 *     const restock = new Restock({ url: 'https://restock.example.com/v1', key })
 *     const { forecast } = await restock.get('/forecasts', { query: { sku: 'A-100', location: 'L1' } })
 */
export class Restock {
  readonly url: string
  readonly #options: RestockOptions
  readonly #authorization: string

  constructor(options: RestockOptions = {}) {
    const { url, key } = options
    this.url = (url ?? (process.env.RESTOCK_URL || LOCAL_URL)).replace(/(?<!\/)\/+$/, '')
    this.#authorization = `Bearer ${key ?? process.env.RESTOCK_API_KEY ?? ''}`
    this.#options = options
  }

  async get<P extends PathOf<'get'>>(path: P, ...input: InputArgs<'get', P>) {
    return (await this.call('get', path, ...input)).data
  }

  async post<P extends PathOf<'post'>>(path: P, ...input: InputArgs<'post', P>) {
    return (await this.call('post', path, ...input)).data
  }

  async put<P extends PathOf<'put'>>(path: P, ...input: InputArgs<'put', P>) {
    return (await this.call('put', path, ...input)).data
  }

  async patch<P extends PathOf<'patch'>>(path: P, ...input: InputArgs<'patch', P>) {
    return (await this.call('patch', path, ...input)).data
  }

  async delete<P extends PathOf<'delete'>>(path: P, ...input: InputArgs<'delete', P>) {
    return (await this.call('delete', path, ...input)).data
  }

  /** The pages of a list, from `query.cursor` or from the start. */
  async *pages<P extends ListPath>(path: P, ...[input]: InputArgs<'get', P>) {
    let cursor: string | null | undefined
    do {
      const query = { ...(input as Input | undefined)?.query, ...(cursor && { cursor }) }
      const { data } = await this.#call('get', path, { ...(input as Input), query })
      const page = data as Page<RowOf<P>>
      yield page
      cursor = page.has_more ? page.next_cursor : null
    } while (cursor)
  }

  /** The rows of a list, from all its pages. */
  async *list<P extends ListPath>(path: P, ...input: InputArgs<'get', P>) {
    for await (const { data } of this.pages(path, ...input)) yield* data
  }

  /** A call with its complete answer: status, headers and unchanged body. */
  async call<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...[input]: InputArgs<M, P>
  ): Promise<Answer<DataOf<M, P>>> {
    const answer = await this.#call(method, path, (input as Input | undefined) ?? {})
    return answer as Answer<DataOf<M, P>>
  }

  async #call(method: Method, path: string, input: Input): Promise<Answer<unknown>> {
    const { retries = 3, shouldRetry = isTransient, onRetry } = this.#options
    const request = this.#requestOf(method, path, input)
    for (let attempt = 1; ; attempt++) {
      try {
        return await send(this.#options.fetch ?? fetch, request)
      } catch (error) {
        if (!(error instanceof RestockError) || attempt > retries) throw error
        const seconds = waitOf(error, attempt)
        const isOnce = error.code === 'unreachable' && input.idempotencyKey === null
        if (isOnce || seconds > LONGEST_WAIT_S || !shouldRetry(error, method)) throw error
        onRetry?.({ error, seconds, attempt })
        await pause(seconds, input.signal)
      }
    }
  }

  /** The request; all tries send the same one, with the same idempotency key. */
  #requestOf(method: Method, path: string, input: Input): HttpRequest {
    const { query, body, requestId, signal, idempotencyKey = crypto.randomUUID() } = input
    const headers = {
      authorization: this.#authorization,
      accept: 'application/json, text/csv',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(requestId !== undefined && { 'x-request-id': requestId }),
      ...(method === 'post' && idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
    }
    return {
      method: method.toUpperCase(),
      url: addressOf(this.url, path, input.path, query),
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      timeout: input.timeout ?? this.#options.timeout ?? 60_000,
      signal,
    }
  }
}

/** The input of any call. */
type Input = CallOptions & {
  path?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

/** The wait that the answer asks for; after a broken connection 0.5, 1, 2 … seconds. */
function waitOf({ code, retryAfter }: RestockError, attempt: number): number {
  if (code === 'unreachable') return 0.5 * 2 ** (attempt - 1)
  return retryAfter ?? DEFAULT_WAIT_S
}

async function pause(seconds: number, signal: AbortSignal | undefined) {
  try {
    await sleep(seconds * 1000, undefined, { signal })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}
