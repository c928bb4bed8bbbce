// Reads of the streams of an OData source: pages, all rows, rows of some keys, a count, a probe.
import type { HttpClient } from '../http/client.ts'
import { ODataClient } from './client.ts'
import { Fatal } from '../errors.ts'
import { conditionsFor } from './keys.ts'
import { allRowsOf, type From, pages, type RowsPage, type Wire } from './pages.ts'
import { parametersOf, type Query } from './query.ts'

export interface ODataSettings {
  /** Sent with every request, e.g. `sap-language`. */
  parameters: Record<string, string>
  /** Rows of a page, where a query does not say otherwise. */
  pageSize: number
}

/** A query; its page size defaults to the source's. */
export type EntityQuery = Omit<Query, 'top'> & { top?: number }

/** An entity set and its key. */
export type EntitySet = Omit<EntityQuery, 'select'>

/** How systems refuse a large page. */
const TOO_LARGE = ['request_refused', 'answer_too_large']
/** Rows of a page that no system refuses; with what hangs below each row it is longer. */
const UNDISPUTED = { plain: 1_000, expanded: 200 }

/** The query for those of its rows that meet the condition, too. */
export const withFilter = <Q extends EntityQuery>(query: Q, condition: string): Q => ({
  ...query,
  filter: query.filter ? `(${query.filter}) and (${condition})` : condition,
})

/**
 * Reads entity sets of one ERP.
 *
 * @example for await (const { rows } of reader.pages<PlantRow>(PLANTS, {}, signal)) use(rows)
 */
export class ODataReader {
  readonly #odata: ODataClient
  readonly #pageSize: number
  /** The most rows of a page that the system gives, as far as is known. */
  readonly #most = { plain: Infinity, expanded: Infinity }

  constructor(http: HttpClient, { parameters, pageSize }: ODataSettings) {
    this.#odata = new ODataClient(http, parameters)
    this.#pageSize = pageSize
  }

  /** Page by page; see {@link pages}. Where the system refuses large pages, all later ones are smaller. */
  async *pages<Row>(
    query: EntityQuery,
    from: From<Row>,
    signal: AbortSignal,
  ): AsyncGenerator<RowsPage<Row>> {
    const kind = query.expand ? 'expanded' : 'plain'
    const top = Math.min(query.top ?? this.#pageSize, this.#most[kind])
    let isFirst = true
    try {
      for await (const page of pages<Row>(this.#odata, { ...query, top }, from, signal)) {
        isFirst = false
        yield page
      }
    } catch (error) {
      const isRefused = error instanceof Fatal && TOO_LARGE.includes(error.code)
      const smaller = UNDISPUTED[kind]
      if (!isRefused || !isFirst || top <= smaller) throw error
      for await (const page of pages<Row>(this.#odata, { ...query, top: smaller }, from, signal)) {
        this.#most[kind] = smaller
        yield page
      }
    }
  }

  /** All rows at once, for small sets. */
  all<Row extends object>(query: EntityQuery, signal: AbortSignal): Promise<Row[]> {
    return allRowsOf(this.pages<Row>(query, {}, signal))
  }

  /**
   * The rows of some keys; rows of other keys may be among them.
   * @param distance see {@link DISTANCE}
   */
  async allOf<Row extends object>(
    query: EntityQuery,
    field: string,
    keys: Iterable<string>,
    signal: AbortSignal,
    distance?: number,
  ): Promise<Row[]> {
    const parts = conditionsFor(field, keys, distance).map((condition) => {
      const owns = (row: Row) => condition.covers(String((row as Wire)[field]))
      return allRowsOf(this.pages<Row>(withFilter(query, condition.filter), { owns }, signal))
    })
    return (await Promise.all(parts)).flat()
  }

  /** Requests any one row, to learn whether the set can be read, and the ERP's clock. */
  async probe({ service, set, key }: EntitySet, signal: AbortSignal): Promise<Date> {
    const url = this.#odata.url(service, set, { $top: '1', $select: key.join(',') })
    const { serverTime } = await this.#odata.page(service, url, signal)
    return new Date(serverTime ?? Date.now())
  }

  /** Number of rows; null where the ERP does not say. */
  async count(query: EntitySet, signal: AbortSignal): Promise<number | null> {
    const { service, set } = query
    const sized = { ...query, select: query.key, top: 1, isSortable: false }
    const url = this.#odata.url(service, set, parametersOf(sized, { skip: 0 }, true))
    return (await this.#odata.page(service, url, signal)).total
  }
}

/** The paths of these services' entity sets, for the client's list of allowed reads. */
export const pathsOf = (services: readonly { path: string }[]): RegExp[] =>
  services.map(({ path }) => new RegExp(`${escape(path)}/\\w+`))

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
