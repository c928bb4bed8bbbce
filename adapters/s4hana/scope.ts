// The products whose rows are read again: those of a range of keys, and others by name.
import { DISTANCE } from '../odata/keys.ts'
import { withFilter } from '../odata/reader.ts'
import type { Wire } from '../odata/pages.ts'
import type { EntityQuery } from '../odata/reader.ts'
import { filterOf, isWithin } from './rotation.ts'
import type { Range } from './rotation.ts'
import type { System } from './system.ts'

export interface Scope {
  range: Range
  /** Products outside the range. */
  products: ReadonlySet<string>
}

/** More products than this by name take as many requests as all of them. */
export const MOST_PRODUCTS = 1_000

export const scopeOf = (range: Range, products: Iterable<string>): Scope => ({
  range,
  products: new Set([...products].filter((product) => !isWithin(range, product))),
})

export const covers = ({ range, products }: Scope, product: string): boolean =>
  isWithin(range, product) || products.has(product)

/** The rows of the products in the scope. @param field of the product */
export async function readScope<Row extends object>(
  system: System,
  query: EntityQuery,
  field: string,
  scope: Scope,
  signal: AbortSignal,
): Promise<Row[]> {
  const condition = filterOf(field, scope.range)
  const [inRange, byName] = await Promise.all([
    system.all<Row>(condition ? withFilter(query, condition) : query, signal),
    readProducts<Row>(system, query, field, scope.products, signal),
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
): Promise<Row[]> {
  const rows = await system.allOf<Row>(query, field, products, signal, DISTANCE.gaps)
  return rows.filter((row) => products.has(String((row as Wire)[field])))
}
