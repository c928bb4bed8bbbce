import { Fatal, isRefused } from '../../errors.ts'
import type { HttpClient } from '../../http/client.ts'
import { objectsIn } from '../../rows/objects.ts'
import type { Field } from '../../rows/values.ts'
import { probeOf, type Query, statementOf } from './query.ts'

export const SUITEQL = '/services/rest/query/v1/suiteql'

/** Values are text; a column that is NULL is missing. */
type Row = Record<string, Field>

interface Answer {
  items?: Row[]
  hasMore?: boolean
  totalResults?: number
  links?: { rel: string; href: string }[]
}

export interface RowsPage<R> {
  rows: R[]
  hasMore: boolean
  /** Of this page and all behind it; null where NetSuite does not say. */
  total: number | null
  /** The key of the last row; null where there is none. */
  last: number[] | null
  /** NetSuite's clock, milliseconds since 1970; null where it does not say. */
  serverTime: number | null
}

/** Runs SELECTs, page after page by key: no query ever has more rows than one page. */
export class SuiteQl {
  readonly #http: HttpClient
  readonly #pageSize: number
  readonly #columns = new Shared()

  constructor(http: HttpClient, pageSize: number) {
    this.#http = http
    this.#pageSize = pageSize
  }

  /** All pages from a key on. */
  async *pages<R extends object = Row>(
    query: Query,
    signal: AbortSignal,
    after: readonly number[] | null = null,
  ): AsyncGenerator<RowsPage<R>> {
    for (let from = after, hasMore = true; hasMore;) {
      const page = await this.page<R>(query, from, signal)
      hasMore = page.hasMore && page.last !== null
      from = page.last
      yield page
    }
  }

  async page<R extends object = Row>(
    query: Query,
    after: readonly number[] | null,
    signal: AbortSignal,
  ): Promise<RowsPage<R>> {
    const known = await this.#knownColumnsOf(query, signal)
    const {
      items = [],
      hasMore,
      totalResults,
      serverTime,
    } = await this.run(statementOf(known, after), signal)
    return {
      rows: objectsIn<R>(items, 'NetSuite answers a query without a list of rows.'),
      hasMore: hasMore ?? items.length >= this.#pageSize,
      total: totalResults ?? null,
      last: items.length ? keyOfRow(query, items.at(-1)!) : null,
      serverTime,
    }
  }

  /** All rows at once; for lists that stay small. */
  async all<R extends object = Row>(query: Query, signal: AbortSignal): Promise<R[]> {
    const all: R[] = []
    for await (const { rows } of this.pages<R>(query, signal)) all.push(...rows)
    return all
  }

  /** The first page of a SELECT. @throws Fatal `forbidden` where a record or feature is not there for this role */
  async run(statement: string, signal: AbortSignal) {
    const url = this.#http.address.url(`${SUITEQL}?limit=${this.#pageSize}&offset=0`)
    const headers = { prefer: 'transient' }
    try {
      const answer = await this.#http.post<Answer>(url, { q: statement }, signal, headers)
      // Pages are asked for by key; a link elsewhere still says that this is not the account.
      for (const { href } of answer.body.links ?? []) this.#http.address.follow(href, url)
      return { ...answer.body, serverTime: answer.serverTime }
    } catch (error) {
      throw isUnknownRecord(error) ? asForbidden(error) : error
    }
  }

  /** The query with the columns that this account has: asked once a read. */
  async #knownColumnsOf(query: Query, signal: AbortSignal): Promise<Query> {
    if (!query.optional) return query
    const name = `${query.from} ${Object.keys(query.optional).join()}`
    const optional = await this.#columns.once(name, signal, () => findColumns(this, query, signal))
    return { ...query, optional }
  }
}

function keyOfRow({ key }: Query, row: Row): number[] {
  return key.map((name) => {
    const value = Number(row[name])
    if (Number.isSafeInteger(value)) return value
    throw new Fatal('unexpected_content', `NetSuite gives a row whose ${name} is no number.`)
  })
}

/** What a role may not see, and what belongs to a feature that is off, is answered as if there was none. */
const isUnknownRecord = (error: unknown): error is Fatal =>
  isRefused(error) &&
  /\brecord ['‘’"]?\w+['‘’"]? was not found|INSUFFICIENT_PERMISSION|permission violation/i.test(
    error.message,
  ) &&
  !/\bfield\b/i.test(error.message)

/** Of one record alone: whatever else is asked for may be there. */
class UnknownRecord extends Fatal {}

const asForbidden = ({ message }: Fatal) =>
  new UnknownRecord('forbidden', `${message} The role lacks the permission, or the feature is off.`)

/**
 * A read that several streams wait for. One that fails, or is stopped with the stream that began it, is begun anew by
 * the next one.
 */
export class Shared {
  readonly #begun = new Map<string, Promise<unknown>>()

  async once<T>(name: string, signal: AbortSignal, read: () => Promise<T>): Promise<T> {
    const held = this.#begun.get(name) as Promise<T> | undefined
    if (held) {
      try {
        return await held
      } catch {
        signal.throwIfAborted()
      }
    }
    const own = read()
    this.#begun.set(name, own)
    return own
  }
}

// Which columns an account has, which depends on its features.

/** The optional columns that are not refused; it asks for one row at a time. */
async function findColumns(
  suiteQl: { run(statement: string, signal: AbortSignal): Promise<unknown> },
  query: Query,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const isKnown = async (columns: Record<string, string>) => {
    try {
      await suiteQl.run(probeOf({ ...query, optional: columns }), signal)
      return true
    } catch (error) {
      if (isRefused(error) || error instanceof UnknownRecord) return false
      throw error
    }
  }
  const optional = query.optional ?? {}
  if (await isKnown(optional)) return optional
  const found: Record<string, string> = {}
  for (const [name, expression] of Object.entries(optional)) {
    if (await isKnown({ [name]: expression })) found[name] = expression
  }
  return found
}
