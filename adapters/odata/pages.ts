// Reads an entity set page by page, with server-driven or client-driven paging.
import { Retriable } from '../errors.ts'
import type { ODataClient, WirePage } from './client.ts'
import { refuseEmpty } from './links.ts'
import { parametersOf, type Query, type Start } from './query.ts'

export type Wire = Record<string, unknown>

export interface RowsPage<Row> {
  rows: Row[]
  /** Key of the last row that was read so far. */
  last: readonly string[] | null
  /** Number of all rows after the starting key; null where the ERP does not say. */
  total: number | null
  serverTime: number | null
}

export interface From<Row = never> {
  /** Reading starts after this key; null for the beginning. */
  after?: readonly string[] | null
  /** Whether a row belongs to the query. A page whose first and last row do not is read again. */
  owns?: (row: Row) => boolean
  /** What of a row of the ERP is needed, its key included; all unless given. */
  keep?: (row: never) => Row
}

/** How often a page is read again that is a repeat, belongs to another query or lacks rows. */
const MAX_REPEATS = 2
/**
 * A page with fewer rows than requested is the last one if the ERP's count confirms it. Without a count
 * a page with a round number of rows may have been cut by a limit of the server.
 */
const ROUND = 100

/**
 * Reads to the end. Next-links are followed where the ERP sends them; otherwise, and after the last
 * link, the next page is requested after the key (or, unsorted, the number) of the last row.
 * Rows that the previous page already had are dropped.
 * @throws Fatal | Retriable, also where the ERP repeats the same pages
 */
export async function* pages<Row>(
  odata: ODataClient,
  query: Query,
  from: From<Row>,
  signal: AbortSignal,
): AsyncGenerator<RowsPage<Row>> {
  const reader = new Reader<Row>(odata, query, from)
  for (;;) {
    const page = await reader.next(signal)
    if (!page) return
    yield page
  }
}

/** All rows of the pages. */
export async function allRowsOf<Row extends object>(
  found: AsyncIterable<RowsPage<Row>>,
): Promise<Row[]> {
  const all: Row[] = []
  for await (const { rows } of found) for (const row of rows) all.push(row)
  return all
}

class Reader<Row> {
  readonly #odata: ODataClient
  readonly #query: Query
  /** Keys of the last rows of all pages; the same key again means a repeated page. */
  readonly #ends = new Set<string>()
  readonly #links = new Set<string>()
  /** Pages without rows since the last one that had some. */
  #empty = 0
  /** The key values of the previous page, in one flat list. */
  #before: unknown[] = []
  #last: readonly string[] | null
  #link: URL | null = null
  /** Rows since the last request that did not follow a link. */
  #rows = 0
  /** Rows since the first request. */
  #rowsInAll = 0
  /** Number of all rows; null where the ERP does not say. */
  #total: number | null = null
  /** Whether the next request asks for the total: the first one, and each that repeats a page. */
  #wantsTotal = true
  #isAtEnd = false
  readonly #from: From<Row>

  constructor(odata: ODataClient, query: Query, from: From<Row>) {
    this.#odata = odata
    this.#query = query
    this.#from = from
    const { after = null } = from
    this.#last = after
    if (after) this.#ends.add(after.join('\n'))
  }

  /** @returns null after the last page */
  async next(signal: AbortSignal): Promise<RowsPage<Row> | null> {
    if (this.#isAtEnd) return null
    const wire = await this.#fetchNew(signal)
    const rows = this.#wasOnPreviousPage(wire.rows[0])
      ? wire.rows.filter((row) => !this.#wasOnPreviousPage(row))
      : wire.rows
    this.#before = wire.rows.flatMap((row) => this.#query.key.map((field) => (row as Wire)[field]))
    this.#advance(wire)
    return { rows, last: this.#last, total: this.#total, serverTime: wire.serverTime }
  }

  /** Fetches the next page, and fetches it again if it is a repeat or is empty too early. */
  async #fetchNew(signal: AbortSignal): Promise<WirePage<Row>> {
    for (let repeats = 0; ; repeats++) {
      const wire = await this.#fetch(signal)
      if (this.#isNew(wire)) return wire
      if (repeats === MAX_REPEATS) throw new Retriable(this.#errorMessage(wire))
      this.#link = null
      this.#rows = 0
      this.#wantsTotal = true
    }
  }

  #isNew({ rows }: WirePage<Row>): boolean {
    const [first, last] = [rows[0], rows.at(-1)]
    if (first === undefined || last === undefined) return !this.#lacksRows()
    const { owns = () => true } = this.#from
    const end = this.#keyOf(last)
    return (owns(first) || owns(last)) && !this.#ends.has(end) && !this.#wasOnPreviousPage(last)
  }

  #lacksRows(): boolean {
    return this.#rowsInAll < (this.#total ?? 0)
  }

  /** Whether the previous page had the row. Overlapping pages always share the new page's first row. */
  #wasOnPreviousPage(row: Row | undefined): boolean {
    const { key } = this.#query
    for (let at = 0; row !== undefined && at < this.#before.length; at += key.length) {
      if (key.every((field, i) => (row as Wire)[field] === this.#before[at + i])) return true
    }
    return false
  }

  async #fetch(signal: AbortSignal): Promise<WirePage<Row>> {
    const { service, set, isSortable = true } = this.#query
    const start: Start = isSortable ? { after: this.#last } : { skip: this.#rowsInAll }
    const parameters = parametersOf(this.#query, start, this.#wantsTotal)
    const url = this.#link ?? this.#odata.url(service, set, parameters)
    const wire = await this.#odata.page(service, url, signal, this.#from.keep)
    // After a key the ERP counts only the remaining rows.
    if (this.#wantsTotal && wire.total !== null)
      this.#total = wire.total + (isSortable ? this.#rowsInAll : 0)
    this.#wantsTotal = false
    return wire
  }

  #errorMessage({ rows }: WirePage<Row>): string {
    const { set } = this.#query
    if (rows.length) return `The ERP gives the same page of ${set} again and again.`
    return `The ERP has ${this.#total} rows of ${set}, and gives no more than ${this.#rowsInAll}.`
  }

  #advance({ rows, next }: WirePage<Row>): void {
    this.#rows = this.#link ? this.#rows + rows.length : rows.length
    this.#rowsInAll += rows.length
    const end = rows.at(-1)
    if (end !== undefined) {
      this.#ends.add(this.#keyOf(end))
      this.#last = this.#valuesOf(end)
    }
    this.#link = next
    this.#empty = rows.length ? 0 : this.#empty + 1
    if (next) refuseEmpty(this.#empty, this.#query.set)
    if (next && !this.#links.has(next.href)) {
      this.#links.add(next.href)
      return
    }
    this.#link = null
    const isFull = next !== null || this.#rows >= this.#query.top || this.#lacksRows()
    this.#isAtEnd = !isFull && (rows.length === 0 || rows.length % ROUND !== 0)
  }

  #valuesOf(row: Row): string[] {
    return this.#query.key.map((field) => String((row as Wire)[field]))
  }

  #keyOf(row: Row): string {
    return this.#valuesOf(row).join('\n')
  }
}
