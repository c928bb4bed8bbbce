// Reads V4 sets page by page by their key, whatever the server does about paging.
import { Fatal, Retriable } from '../errors.ts'
import type { HttpClient } from '../http/client.ts'
import { ODataClient, type WirePage } from './client.ts'
import { Links } from './links.ts'
import { type ODataService, textLiteral } from './query.ts'

export interface KeysetQuery {
  service: ODataService
  set: string
  /** One field; rows are sorted by it. */
  key: string
  keyType: 'text' | 'number'
  select: readonly string[]
  filter?: string | null
}

export interface KeysetPage<Row> {
  rows: Row[]
  /** Key of the last row that was read so far. */
  last: string | null
  /** The ERP's clock, milliseconds since 1970. */
  serverTime: number | null
}

export interface KeysetSettings {
  /** Rows of a page. */
  pageSize: number
  /** Sent with every request. */
  headers: Record<string, string>
}

/** A page is not halved below this number of rows. */
const SMALLEST_PAGE = 50
/** A short page of so many rows, or of a multiple of them, may have been cut by a limit of the server. */
const ROUND = 20

/** Reads the sets of one ERP. Where it refuses pages as too large, all later ones are half as large. */
export class KeysetReader {
  readonly #odata: ODataClient
  readonly #headers: Record<string, string>
  #size: number

  constructor(http: HttpClient, { pageSize, headers }: KeysetSettings) {
    this.#odata = new ODataClient(http, {})
    this.#size = pageSize
    this.#headers = headers
  }

  /**
   * Pages to the end, after a key. A link to a next page says that there is one, and is not followed: links count
   * rows, and would miss some where rows are added or removed meanwhile.
   * @throws Fatal | Retriable, also where the ERP repeats a page
   */
  async *pages<Row>(
    query: KeysetQuery,
    after: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<KeysetPage<Row>> {
    for (let last = after; ;) {
      const size = this.#size
      const url = this.#odata.url(query.service, query.set, parametersOf(query, last, size))
      const page = await this.#tryPage<Row>(query.service, url, signal)
      if (page === 'too large') continue
      const { rows, next, serverTime } = page
      const end = rows.at(-1) as Record<string, unknown> | undefined
      if (!end) {
        yield { rows, last, serverTime }
        return
      }
      if (String(end[query.key]) === last) {
        throw new Retriable(`The ERP gives the same page of ${query.set} again and again.`)
      }
      last = String(end[query.key])
      yield { rows, last, serverTime }
      if (!next && rows.length < size && rows.length % ROUND !== 0) return
    }
  }

  async all<Row>(query: KeysetQuery, signal: AbortSignal): Promise<Row[]> {
    const all: Row[] = []
    for await (const { rows } of this.pages<Row>(query, null, signal)) {
      for (const row of rows) all.push(row)
    }
    return all
  }

  /** Follows links to the end, for sets that have no key of their own. */
  async allByLink<Row>(
    service: ODataService,
    set: string,
    parameters: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Row[]> {
    const all: Row[] = []
    for await (const rows of this.pagesByLink<Row>(service, set, parameters, signal))
      for (const row of rows) all.push(row)
    return all
  }

  /** @throws Fatal | Retriable, also where links lead in a circle, or from one page of nothing to the next */
  async *pagesByLink<Row>(
    service: ODataService,
    set: string,
    parameters: Record<string, string>,
    signal: AbortSignal,
  ): AsyncGenerator<Row[]> {
    const links = new Links(set)
    for (let url: URL | null = this.#odata.url(service, set, parameters); url;) {
      const page: WirePage<Row> | 'too large' = await this.#tryPage<Row>(service, url, signal)
      if (page === 'too large') continue
      yield page.rows
      links.follow(url, page)
      url = page.next
    }
  }

  /** The first row of a set that takes no parameters. */
  async firstByLink<Row extends object>(
    service: ODataService,
    set: string,
    signal: AbortSignal,
  ): Promise<Row | undefined> {
    const url = this.#odata.url(service, set, {})
    return (await this.#fetch<Row>(service, url, 1, signal)).rows[0]
  }

  /** One row, to learn whether the set can be read. */
  async first<Row>(query: KeysetQuery, signal: AbortSignal): Promise<Row | undefined> {
    const { service, set, select, filter } = query
    const parameters = {
      ...{ $top: '1', $select: select.join(',') },
      ...(filter ? { $filter: filter } : {}),
    }
    const url = this.#odata.url(service, set, parameters)
    return (await this.#fetch<Row>(service, url, 1, signal)).rows[0]
  }

  async #tryPage<Row>(
    service: ODataService,
    url: URL,
    signal: AbortSignal,
  ): Promise<WirePage<Row> | 'too large'> {
    const size = this.#size
    try {
      return await this.#fetch<Row>(service, url, size, signal)
    } catch (error) {
      const isTooLarge = error instanceof Fatal && error.code === 'answer_too_large'
      if (!isTooLarge || size <= SMALLEST_PAGE) throw error
      this.#size = Math.max(SMALLEST_PAGE, Math.min(this.#size, Math.floor(size / 2)))
      return 'too large'
    }
  }

  #fetch<Row>(
    service: ODataService,
    url: URL,
    size: number,
    signal: AbortSignal,
  ): Promise<WirePage<Row>> {
    const headers = { prefer: `odata.maxpagesize=${size}`, ...this.#headers }
    return this.#odata.page<Row>(service, url, signal, undefined, headers)
  }
}

function parametersOf(
  { key, keyType, select, filter }: KeysetQuery,
  after: string | null,
  size: number,
) {
  const literal = after === null || keyType === 'number' ? after : textLiteral(after)
  const behind = literal === null ? null : `${key} gt ${literal}`
  const conditions = [filter, behind].filter((condition) => condition)
  return {
    $top: String(size),
    $select: select.join(','),
    $orderby: key,
    ...(conditions.length && { $filter: conditions.map((each) => `(${each})`).join(' and ') }),
  } as Record<string, string>
}
