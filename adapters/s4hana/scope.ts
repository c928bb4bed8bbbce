// The products whose rows are read again: those of a range of keys, and others by name.
import { DISTANCE } from '../odata/keys.ts'
import type { Wire } from '../odata/pages.ts'
import { isInOrder } from '../odata/stretches.ts'
import { textLiteral } from '../odata/query.ts'
import { type EntityQuery, withFilter } from '../odata/reader.ts'
import type { System } from './system.ts'

export interface Scope {
  range: Range
  /** Products outside the range. */
  products: ReadonlySet<string>
}

/** More products than this by name take as many requests as all of them. */
export const MOST_PRODUCTS = 5_000

export const scopeOf = (range: Range, products: Iterable<string>): Scope => ({
  range,
  products: new Set([...products].filter((product) => !isWithin(range, product))),
})

export const covers = ({ range, products }: Scope, product: string): boolean =>
  isWithin(range, product) || products.has(product)

/** The rows of the products in the scope. @param field of the product @param distance see {@link DISTANCE} */
export async function readScope<Row extends object>(
  system: System,
  query: EntityQuery,
  field: string,
  scope: Scope,
  signal: AbortSignal,
  distance?: number,
): Promise<Row[]> {
  const condition = filterOf(field, scope.range)
  const [inRange, byName] = await Promise.all([
    system.all<Row>(condition ? withFilter(query, condition) : query, signal),
    readProducts<Row>(system, query, field, scope.products, signal, distance),
  ])
  return [...inRange, ...byName]
}

/** The rows of the products, and of no others. */
export async function readProducts<Row extends object>(
  system: System,
  query: EntityQuery,
  field: string,
  products: ReadonlySet<string>,
  signal: AbortSignal,
  distance: number = DISTANCE.gaps,
): Promise<Row[]> {
  const rows = await system.allOf<Row>(query, field, products, signal, distance)
  return rows.filter((row) => products.has(String((row as Wire)[field])))
}

// Lists whose rows say nothing of their changes are read again in turns, one range of keys with each sync.

/** A list is through again after this many ranges at most. */
const RANGES = 24
/** Fewer rows are not worth a turn of their own. */
const LEAST_ROWS = 2_000

/** How far the reading in turns has come. */
export interface Turn {
  /** The next range begins after this key; '' at the beginning of the list. */
  next: string
  /** Rows of the list, as a whole read found them. */
  size: number
}

/** Keys after the first, up to the last; null where the list ends. */
export interface Range {
  after: string
  last: string | null
}

/** All keys. */
export const EVERYTHING: Range = { after: '', last: null }

export const rowsOfTurn = ({ size }: Turn) => Math.max(LEAST_ROWS, Math.ceil(size / RANGES))

/**
 * The first turn after a whole read; null where the system does not order keys by their characters, as SAP's databases
 * do: which keys lie in a range cannot be told then, so the list is read whole each time.
 */
export const firstTurn = <Row extends object>(
  rows: readonly Row[],
  { key: [field] }: EntityQuery,
): Turn | null => (isInOrder(rows, field as keyof Row, '') ? { next: '', size: rows.length } : null)

/**
 * Reads the rows of the range whose turn it is; null where they are not in the order of their keys' characters.
 * @param query of a list whose first key field makes the ranges; all rows of a value are in one range
 */
export async function readTurn<Row extends object>(
  system: System,
  query: EntityQuery,
  turn: Turn,
  signal: AbortSignal,
): Promise<{ rows: Row[]; range: Range } | null> {
  const read = await readRange<Row>(system, query, turn, signal)
  return isInOrder(read.rows, query.key[0] as keyof Row, turn.next) ? read : null
}

async function readRange<Row extends object>(
  system: System,
  query: EntityQuery,
  turn: Turn,
  signal: AbortSignal,
): Promise<{ rows: Row[]; range: Range }> {
  const field = query.key[0] as keyof Row & string
  const wanted = rowsOfTurn(turn)
  const found: Row[] = []
  const behind = turn.next ? withFilter(query, `${field} gt ${textLiteral(turn.next)}`) : query
  const top = Math.min(wanted, system.options.page_size)
  for await (const { rows } of system.pages<Row>({ ...behind, top }, {}, signal)) {
    found.push(...rows)
    const last = found.at(-1)?.[field]
    if (found.length < wanted || found[0]![field] === last) continue
    // The rows of the last value may go on with the next page.
    const rest = found.findLastIndex((row) => row[field] !== last) + 1
    const whole = found.slice(0, rest)
    return { rows: whole, range: { after: turn.next, last: String(whole.at(-1)![field]) } }
  }
  return { rows: found, range: { after: turn.next, last: null } }
}

export const isWithin = ({ after, last }: Range, key: string): boolean =>
  key > after && (last === null || key <= last)

/** The filter for a range; null for everything. */
function filterOf(field: string, { after, last }: Range): string | null {
  const behind = after ? `${field} gt ${textLiteral(after)}` : null
  if (last === null) return behind
  const until = `${field} le ${textLiteral(last)}`
  return behind ? `${behind} and ${until}` : until
}

/** The turn after this one. */
export const nextTurn = ({ size }: Turn, { last }: Range): Turn => ({ next: last ?? '', size })
