// A typed client of /v1: every path, parameter and field is checked against the OpenAPI document.
import { setTimeout as sleep } from 'node:timers/promises'
import createFetchClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './generated.d.ts'

export type { components, paths }
export type Restock = Client<paths>
export type Forecast = components['schemas']['Forecast']
export type Proposal = components['schemas']['Proposal']
export type ApiError = components['schemas']['Error']

export interface Options {
  /** Ends in `/v1`; a developer's own service unless given. */
  url?: string
  /** `rsk_…`; RESTOCK_API_KEY unless given. */
  key?: string
  /** How often a call that meets a limit is tried again; 3 unless given. */
  retries?: number
  fetch?: typeof fetch
}

const LOCAL = 'http://localhost:4004/v1'
const LONGEST_WAIT_S = 120

/**
 * A client with a method a verb: `await restock.GET('/proposals/{id}', { params: { path: { id } } })` gives
 * `{ data, error, response }`. A refusal by a limit was not carried out, so it is waited for and tried again.
 * @throws TypeError where the service cannot be reached
 */
export function createRestock({
  url = process.env.RESTOCK_URL || LOCAL,
  key = process.env.RESTOCK_API_KEY ?? '',
  retries = 3,
  fetch = globalThis.fetch,
}: Options = {}): Restock {
  const send = async (request: Request): Promise<Response> => {
    for (let attempt = 1; ; attempt++) {
      const answer = await fetch(request.clone())
      const wait = answer.status === 429 && attempt <= retries ? waitOf(answer) : null
      if (wait === null) return answer
      await answer.body?.cancel()
      await sleep(wait * 1000, undefined, { signal: request.signal })
    }
  }
  return createFetchClient<paths>({
    baseUrl: url,
    fetch: send,
    headers: { Authorization: `Bearer ${key}` },
    redirect: 'error', // a key goes to the address that was named, and to no other
  })
}

/** Seconds to wait; null where that is too long, or not said. */
function waitOf({ headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after') ?? NaN)
  return seconds <= LONGEST_WAIT_S ? seconds : null
}

type Page = { data: unknown[]; next_cursor: string | null; has_more: boolean }
type RowOf<P extends keyof paths> = paths[P] extends {
  get: { responses: { 200: { content: { 'application/json': Page & { data: (infer Row)[] } } } } }
}
  ? Row
  : never
type QueryOf<P extends keyof paths> = paths[P] extends {
  get: { parameters: { query?: infer Query } }
}
  ? Omit<NonNullable<Query>, 'cursor'>
  : never

/** A path that is a list. */
export type ListPath = {
  [P in keyof paths]: [RowOf<P>] extends [never] ? never : P
}[keyof paths]

/** A refusal, as the API tells it. */
export class RestockError extends Error {
  override name = 'RestockError'
  readonly status: number
  readonly code: string
  readonly requestId: string
  constructor(status: number, { error }: ApiError) {
    super(error.message)
    this.status = status
    this.code = error.code
    this.requestId = error.request_id
  }
}

/**
 * Every row of a list, page by page.
 * @param path of the list, its id filled in by `id`
 * @throws RestockError
 */
export async function* rowsOf<P extends ListPath>(
  restock: Restock,
  path: P,
  { query = {} as QueryOf<P>, id }: { query?: QueryOf<P>; id?: string } = {},
): AsyncGenerator<RowOf<P>> {
  // Which parameters a path takes is checked at the call; here it may be any of them.
  const get = restock.GET as unknown as (
    path: string,
    init: object,
  ) => Promise<{
    data?: Page
    error?: ApiError
    response: Response
  }>
  let cursor: string | undefined
  for (;;) {
    const params = { path: { id }, query: { ...query, cursor } }
    const { data: page, error, response } = await get(path, { params })
    if (!page) throw new RestockError(response.status, error!)
    yield* page.data as RowOf<P>[]
    if (!page.has_more) return
    cursor = page.next_cursor!
  }
}
