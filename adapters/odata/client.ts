import type { HttpClient } from '../http/client.ts'
import { parseJson } from '../http/json.ts'
import { objectsIn } from '../rows/objects.ts'
import type { ODataService } from './query.ts'

/** A page as the ERP returned it. */
export interface WirePage<Row> {
  rows: Row[]
  /** The ERP's link to the next page, if any. */
  next: URL | null
  /** Number of all rows, where the request asked for it. */
  total: number | null
  /** The ERP's clock, milliseconds since 1970. */
  serverTime: number | null
}

interface V2<Row> {
  d?: { results?: Row[]; __next?: string; __count?: string } | Row[]
}

interface V4<Row> {
  value?: Row[]
  '@odata.nextLink'?: string
  '@odata.count'?: number | string
}

// IEEE754Compatible: decimals come as text, because numbers would lose digits.
const ACCEPT = {
  2: 'application/json',
  4: 'application/json;odata.metadata=minimal;IEEE754Compatible=true',
}

/** Reads pages of entity sets, in OData V2 and V4. */
export class ODataClient {
  readonly #http: HttpClient
  readonly #parameters: Record<string, string>

  /** @param parameters sent with every request, e.g. `sap-client` */
  constructor(http: HttpClient, parameters: Record<string, string>) {
    this.#http = http
    this.#parameters = parameters
  }

  url(service: ODataService, set: string, parameters: Record<string, string>): URL {
    const url = this.#http.address.url(`${service.path}/${set}`)
    url.search = queryOf({ ...parameters, ...this.#parameters })
    return url
  }

  /**
   * @param headers besides, or instead of, those of OData
   * @param keep what of each row is needed; the rest is dropped while the page is parsed, and so is V2's `__metadata`
   * @throws Fatal | Retriable, like the HTTP client
   */
  async page<Row, Kept = Row>(
    service: ODataService,
    url: URL,
    signal: AbortSignal,
    keep: (row: Row) => Kept = withoutMetadata,
    headers: Record<string, string> = {},
  ): Promise<WirePage<Kept>> {
    const { version } = service
    const parse = (answer: Buffer) => parseRows(answer, keep)
    const sent = { accept: ACCEPT[version], ...headers }
    const answer = await this.#http.get<Parsed<Kept>>(url, signal, sent, parse)
    const { kept, rest } = answer.body
    const { rows: found, link, total } = version === 2 ? unwrapV2<Row>(rest) : unwrapV4<Row>(rest)
    const rows = objectsIn<Row>(found, `${url.pathname} answers with no list of rows.`)
    return {
      rows: [...kept, ...rows.map(keep)],
      next: link ? this.#follow(link, service, url) : null,
      total: total === undefined ? null : Number(total),
      serverTime: answer.serverTime,
    }
  }

  /**
   * A relative link begins at the service, whatever of it was asked for. The ERP's links lack the parameters that are not
   * OData's, so they are added again.
   */
  #follow(link: string, { path }: ODataService, page: URL): URL {
    const { address } = this.#http
    const url = address.follow(link, link.startsWith('?') ? page : address.url(`${path}/`))
    for (const [name, value] of Object.entries(this.#parameters)) {
      if (!url.searchParams.has(name)) url.search += `${url.search ? '&' : '?'}${name}=${value}`
    }
    return url
  }
}

function withoutMetadata<Row, Kept>(row: Row): Kept {
  const { __metadata, ...rest } = row as Row & { __metadata?: unknown }
  return rest as Kept
}

function unwrapV2<Row>(body: unknown) {
  const { d } = body as V2<Row>
  if (Array.isArray(d)) return { rows: d, link: undefined, total: undefined }
  return { rows: d?.results, link: d?.__next, total: d?.__count }
}

function unwrapV4<Row>(body: unknown) {
  const { value, ...about } = body as V4<Row>
  return { rows: value, link: about['@odata.nextLink'], total: about['@odata.count'] }
}

/** Spaces become %20, because SAP Gateway does not decode +. */
const queryOf = (parameters: Record<string, string>) =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')

// Parses long answers part by part. V8 keeps what it parses from a longer text in its old space, where garbage waits
// for a collection of everything; of short parts the garbage is gone at once.

/** Bytes of a part; V8's limit is 100 kB. */
const PART = 24_000
/** What a row of V2 begins with, up to its key. */
const START = /^\{"__metadata":\{"\w+":"[^"(]+\(/
const LONGEST_START = 500

/** An answer whose first rows were taken out of it, and what is kept of them. */
interface Parsed<Kept> {
  kept: Kept[]
  rest: unknown
}

/**
 * Parses an answer; of V2's rows only what is kept of them stays in memory.
 * @throws SyntaxError where the answer is not whole
 */
export function parseRows<Row, Kept>(answer: Buffer, keep: (row: Row) => Kept): Parsed<Kept> {
  const first = answer.indexOf('[') + 1
  const start = START.exec(answer.toString('latin1', first, first + LONGEST_START))?.[0]
  if (!start) return { kept: [], rest: parseJson(answer.toString()) }
  const border = Buffer.from(`},${start}`)
  const kept: Kept[] = []
  let at = first
  for (let end; (end = answer.indexOf(border, at + PART)) >= 0; at = end + 2) {
    const rows = parseJson(`[${answer.toString('utf8', at, end + 1)}]`) as Row[]
    for (const row of rows) kept.push(keep(row))
  }
  return { kept, rest: parseJson(answer.toString('utf8', 0, first) + answer.toString('utf8', at)) }
}
