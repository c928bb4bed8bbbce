// SELECT statements, put together from what stands in this folder and from whole numbers and days.
import { DAY, INSTANT } from './wall-clock.ts'

/** A SELECT whose rows have a key of whole numbers, and are read in its order. */
export interface Query {
  /** Expressions by the name of their column. */
  columns: Record<string, string>
  /** Columns that depend on features of the account: they are left out where it has none. */
  optional?: Record<string, string>
  from: string
  where: readonly string[]
  groupBy?: string
  /** One or two columns, unique together. */
  key: readonly string[]
}

export const textOfDay = (column: string) => `TO_CHAR(${column},'${DAY}')`
export const textOfInstant = (column: string) => `TO_CHAR(${column},'${INSTANT}')`

/** Items that are stocked. */
export const IS_STOCKED = "i.itemtype IN ('InvtPart','Assembly')"

export const withConditions = (query: Query, ...conditions: readonly string[]): Query => ({
  ...query,
  where: [...query.where, ...conditions],
})

/** The first number of the key that a page begins with. */
const PAGE = '{page}'

/** A condition in `from`: what a sub-select adds up is of the rows of the page and those behind it alone. */
export const fromPageOn = (column: string) => `${column} >= ${PAGE}`

/** @param after the key behind which rows are read; null from the beginning */
export function statementOf(query: Query, after: readonly number[] | null): string {
  const conditions = [...query.where, ...(after ? [behind(query, after)] : [])]
  const where = conditions.length ? ` WHERE ${conditions.join(' AND ')}` : ''
  const group = query.groupBy ? ` GROUP BY ${query.groupBy}` : ''
  return `${selectOf(query, after)}${where}${group} ORDER BY ${keyOf(query).join(', ')}`
}

/** One row of it, whichever. */
export function probeOf(query: Query): string {
  const where = query.where.length ? ` WHERE ${query.where.join(' AND ')}` : ''
  return `${selectOf(query)}${where} FETCH FIRST 1 ROWS ONLY`
}

function selectOf(
  { columns, optional = {}, from }: Query,
  after: readonly number[] | null = null,
): string {
  const page = wholeNumber(after?.[0] ?? 0)
  const all = Object.entries({ ...columns, ...optional })
  return `SELECT ${all.map(([name, expression]) => `${expression} AS ${name}`).join(', ')} FROM ${from.replaceAll(PAGE, page)}`
}

const keyOf = ({ key, columns }: Query) => key.map((name) => columns[name]!)

/** An `OR` over both would keep databases from using an index. */
function behind(query: Query, after: readonly number[]): string {
  const [first, second] = keyOf(query)
  const [low, high] = after.map(wholeNumber)
  if (second === undefined) return `${first} > ${low}`
  return `${first} >= ${low} AND (${first} > ${low} OR ${second} > ${high})`
}

/** @throws RangeError: nothing but whole numbers is put into a query */
export function wholeNumber(value: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError('no whole number')
  return String(value)
}

export const among = (column: string, numbers: readonly number[]): string =>
  `${column} IN (${numbers.map(wholeNumber).join(',')})`
