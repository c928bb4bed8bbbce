// Reading an entity set page by page, whatever way of paging the ERP has.
import { Retriable } from '../errors.ts'
import type { ODataClient, WirePage } from './client.ts'
import { parametersOf } from './query.ts'
import type { Query, Start } from './query.ts'

export type Wire = Record<string, unknown>

export interface RowsPage<Row> {
  rows: Row[]
  /** Key of the last row that was read so far. */
  last: readonly string[] | null
  /** All rows behind the key where reading began; null where the ERP does not say. */
  total: number | null
  serverTime: number | null
}

export interface From<Row = never> {
  /** The key behind which reading begins; null for the beginning. */
  after?: readonly string[] | null
  /** Whether a row can be an answer; a page with none at its ends was meant for somebody else. */
  owns?: (row: Row) => boolean
}

/** A page that was read before, was not asked for, or lacks its rows, is asked for again so often. */
const MAX_REPEATS = 2
/**
 * A page shorter than asked for is the last one if there are no more rows by the ERP's count. One that
 * does not count may have cut a page of a round number.
 */
const ROUND = 100

/**
 * Reads to the end. The ERP's links are followed where it gives some; else, and behind a link's last
 * page, the next page is asked for by the key (or, unsorted, the number) of the last row.
 * A row that the page before had already is left out.
 * @throws Fatal | Retriable, also where the ERP gives the same pages again and again
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

/** All rows of a query, without what V2 says about each of them besides. */
export async function readAllRows<Row extends object>(
  odata: ODataClient,
  query: Query,
  from: From<Row>,
  signal: AbortSignal,
): Promise<Row[]> {
  const all: Row[] = []
  for await (const { rows } of pages<Row>(odata, query, from, signal)) {
    for (const { __metadata, ...row } of rows as (Row & Wire)[]) all.push(row as Row)
  }
  return all
}

class Reader<Row> {
  readonly #odata: ODataClient
  readonly #query: Query
  /** Keys of the last rows of all pages: one that comes again means that a page repeats. */
  readonly #ends = new Set<string>()
  readonly #links = new Set<string>()
  /** The keys of the page before, value by value; its rows are let go. */
  #before: unknown[] = []
  #last: readonly string[] | null
  #link: URL | null = null
  /** Rows since the last request of our own, and since the first. */
  #rows = 0
  #readAllRows = 0
  /** All rows there are; null where the ERP does not say. */
  #total: number | null = null
  /** Whether the next request asks for it: the first one, and one that repeats what lacked rows. */
  #wantsTotal = true
  #isOver = false
  readonly #from: From<Row>

  constructor(odata: ODataClient, query: Query, from: From<Row>) {
    this.#odata = odata
    this.#query = query
    this.#from = from
    const { after = null } = from
    this.#last = after
    if (after) this.#ends.add(after.join('\n'))
  }

  /** @returns null behind the last page */
  async next(signal: AbortSignal): Promise<RowsPage<Row> | null> {
    if (this.#isOver) return null
    const wire = await this.#fetchNew(signal)
    const rows = this.#wasBefore(wire.rows[0])
      ? wire.rows.filter((row) => !this.#wasBefore(row))
      : wire.rows
    this.#before = wire.rows.flatMap((row) => this.#query.key.map((field) => (row as Wire)[field]))
    this.#advance(wire)
    return { rows, last: this.#last, total: this.#total, serverTime: wire.serverTime }
  }

  /** A page that does not end where an earlier one has been, and is not empty before all was read. */
  async #fetchNew(signal: AbortSignal): Promise<WirePage<Row>> {
    for (let repeats = 0; ; repeats++) {
      const wire = await this.#fetch(signal)
      if (this.#isNew(wire)) return wire
      if (repeats === MAX_REPEATS) throw new Retriable(this.#complaint(wire))
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
    return (owns(first) || owns(last)) && !this.#ends.has(end) && !this.#wasBefore(last)
  }

  #lacksRows(): boolean {
    return this.#readAllRows < (this.#total ?? 0)
  }

  /** A page that overlaps the one before does so from its first row on. */
  #wasBefore(row: Row | undefined): boolean {
    const { key } = this.#query
    for (let at = 0; row !== undefined && at < this.#before.length; at += key.length) {
      if (key.every((field, i) => (row as Wire)[field] === this.#before[at + i])) return true
    }
    return false
  }

  async #fetch(signal: AbortSignal): Promise<WirePage<Row>> {
    const { service, set, isSortable = true } = this.#query
    const start: Start = isSortable ? { after: this.#last } : { skip: this.#readAllRows }
    const parameters = parametersOf(this.#query, start, this.#wantsTotal)
    const url = this.#link ?? this.#odata.url(service, set, parameters)
    const wire = await this.#odata.page<Row>(service, url, signal)
    // Behind a key only what is left is counted: rows may have gone since.
    if (this.#wantsTotal && wire.total !== null)
      this.#total = wire.total + (isSortable ? this.#readAllRows : 0)
    this.#wantsTotal = false
    return wire
  }

  #complaint({ rows }: WirePage<Row>): string {
    const { set } = this.#query
    if (rows.length) return `The ERP gives the same page of ${set} again and again.`
    return `The ERP has ${this.#total} rows of ${set}, and gives no more than ${this.#readAllRows}.`
  }

  #advance({ rows, next }: WirePage<Row>): void {
    this.#rows = this.#link ? this.#rows + rows.length : rows.length
    this.#readAllRows += rows.length
    const end = rows.at(-1)
    if (end !== undefined) {
      this.#ends.add(this.#keyOf(end))
      this.#last = this.#valuesOf(end)
    }
    this.#link = next
    if (next && !this.#links.has(next.href)) {
      this.#links.add(next.href)
      return
    }
    this.#link = null
    const isFull = next !== null || this.#rows >= this.#query.top || this.#lacksRows()
    this.#isOver = !isFull && (rows.length === 0 || rows.length % ROUND !== 0)
  }

  #valuesOf(row: Row): string[] {
    return this.#query.key.map((field) => String((row as Wire)[field]))
  }

  #keyOf(row: Row): string {
    return this.#valuesOf(row).join('\n')
  }
}
