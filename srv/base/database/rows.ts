import cds from '@sap/cds'
import { type AnyEntity, type Columns, readAs } from './entities.ts'

/** The most values or rows in one statement: databases limit its parameters and its length. */
const IN_ONE_STATEMENT = 5_000

/** The condition that a number is one of these; consecutive ones become a range, which is three times as fast. */
export const oneOf = (numbers: readonly number[]) => rangeOf(numbers, 1) ?? { in: [...numbers] }

/** A condition that these numbers meet, and perhaps as many others between them, which the reader ignores. */
export const oneOfOrBetween = (numbers: readonly number[]) =>
  rangeOf(numbers, 2) ?? { in: [...numbers] }

/** @param numbers without repetitions */
function rangeOf(numbers: readonly number[], most: number) {
  if (!numbers.length) return null
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)]
  return last - first < most * numbers.length ? { between: first, and: last } : null
}

export function* inChunks<T>(all: readonly T[], size = IN_ONE_STATEMENT): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size)
}

/**
 * Columns to order by along an index. CAP has PostgreSQL sort nulls first, but its indexes have them last: without this every
 * page would sort the whole table.
 */
export function indexOrder(columns: string[], sort: 'asc' | 'desc' = 'asc'): string[] {
  const nulls = sort === 'asc' ? 'last' : 'first'
  const keys = columns.map((column) => ({
    ...{ ref: [column], sort },
    ...(cds.db.kind === 'postgres' && { nulls }),
  }))
  // The types of CAP know texts only.
  return keys as unknown as string[]
}

/** Inserts a row unless there is one with its key; several instances may do so at once. It commits by itself. */
export async function insertIfAbsent(entity: AnyEntity, key: object, values = {}) {
  const isThere = async () => Boolean(await SELECT.one.from(entity).where(key))
  if (await isThere()) return
  await cds
    .tx(() => INSERT.into(entity).entries({ ...key, ...values }))
    .catch(async (error: unknown) => {
      if (!(await isThere())) throw error
    })
}

// The database answers Decimal and Int64 as strings; here they become numbers.

/** A stored number, null where there is none. */
export const toNumber = (value: unknown): number | null =>
  value === null || value === undefined ? null : Number(value)

/** A stored decimal as the API shows it, with a fixed number of places; null where there is none. */
export const toDecimal = (value: unknown, decimals: number): string | null =>
  value === null || value === undefined ? null : Number(value).toFixed(decimals)

// Lists are answered in pages, each with the position after which the next one begins.

export interface PageQuery {
  /** The position of the last row seen, as `next` gave it; absent at the start. */
  after?: string | null
  limit: number
}

/**
 * Cuts a page from rows of which one more than `limit` was asked for.
 * @param positionOf what names a row's place in the list
 * @returns `next`: the position of the last row, after which the next page begins; null on the last page
 */
export function toPage<Row>(
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => string | number,
) {
  const data = rows.slice(0, limit)
  return { data, next: rows.length > limit ? String(positionOf(data.at(-1)!)) : null }
}

/** The page of a list that is read whole. */
export function cutPage<Row>(
  rows: readonly Row[],
  { after, limit }: PageQuery,
  positionOf: (row: Row) => string,
) {
  const start = after ? rows.findIndex((row) => positionOf(row) === after) + 1 : 0
  return toPage(rows.slice(start, start + limit + 1), limit, positionOf)
}

interface Query<Row> extends Promise<Columns<Row>[]> {
  where(condition: object): unknown
  orderBy(...columns: string[]): unknown
  limit(rows: number): unknown
}

/** The page of what a query finds under these conditions, if any; the highest number first. */
export async function newestPage<Row extends { ID: number }>(
  query: Query<Row>,
  { after, limit }: PageQuery,
  ...conditions: (object | null | undefined)[]
) {
  const given = [...conditions, after ? { ID: { '<': Number(after) } } : null]
  for (const condition of given)
    if (condition && Object.keys(condition).length) query.where(condition)
  query.orderBy(...indexOrder(['ID'], 'desc'))
  query.limit(limit + 1)
  return toPage(await readAs<Row>(query), limit, ({ ID }) => ID)
}

/** The members of a filter that say something. */
export const givenIn = (filter: object) =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value != null))
