import { parseFilter } from './filter.ts'
import type { Bounds, Row } from './filter.ts'

/** A set of rows in the order of its key. */
export interface V4Set {
  /** Null for sums, which have no key. */
  key: string | null
  /** All fields; a query that names another is refused. */
  fields: readonly string[]
  /** Rows within bounds; others may be among them. */
  rows(bounds: Bounds): Iterable<Row>
}

export interface PageLimits {
  /** Most rows of a page. */
  most: number
  /** Fields that are left out of rows, though they were asked for. */
  without?: readonly string[]
}

export interface V4Page {
  rows: Row[]
  /** Query of the next page. */
  next: string | null
}

/** @throws SyntaxError for an unknown option or field */
export function readPage(set: V4Set, params: URLSearchParams, limits: PageLimits): V4Page {
  const select = params.get('$select')?.split(',') ?? set.fields
  const unknown = select.find((field) => !set.fields.includes(field))
  if (unknown) throw new SyntaxError(`Could not find a property named '${unknown}'`)
  const { test, ...bounds } = parseFilter(params.get('$filter'), set.key)
  const left = params.has('$top') ? Number(params.get('$top')) : Infinity
  const skip = Number(params.get('$skip') ?? params.get('$skiptoken') ?? 0)
  const shown = select.filter((field) => !limits.without?.includes(field))
  const rows: Row[] = []
  let [matching, isMore] = [0, false]
  for (const row of set.rows(bounds)) {
    if (!test(row) || matching++ < skip) continue
    if (rows.length >= left) break
    if (rows.length >= limits.most) {
      isMore = true
      break
    }
    rows.push(Object.fromEntries(shown.map((field) => [field, row[field]])))
  }
  const next = isMore ? nextOf(params, skip + rows.length, left - rows.length) : null
  return { rows, next }
}

function nextOf(params: URLSearchParams, skip: number, left: number): string {
  const next = new URLSearchParams(params)
  next.delete('$skiptoken')
  next.set('$skip', String(skip))
  if (Number.isFinite(left)) next.set('$top', String(left))
  return next.toString()
}

/** A set of rows that are made of a list in the order of the key. */
export function listSet<T>(
  key: string,
  fields: readonly string[],
  list: () => Iterable<T>,
  keyOf: (each: T) => string | number,
  toRow: (each: T) => Row,
): V4Set {
  return {
    key,
    fields,
    *rows({ after, keys }) {
      for (const each of list()) {
        const own = keyOf(each)
        if ((after === null || own > after) && (!keys || keys.has(own))) yield toRow(each)
      }
    },
  }
}
