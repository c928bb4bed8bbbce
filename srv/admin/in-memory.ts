// Rows that no table holds, answered as OData asks for them.
import type { Request } from '@sap/cds'
import { equalities, holds, type Row } from './condition.ts'

export type { Row }

interface Select {
  one?: boolean
  count?: boolean
  where?: unknown[]
  columns?: { func?: string }[]
  orderBy?: { ref?: string[]; sort?: string }[]
  limit?: { rows?: { val: number }; offset?: { val: number } }
  from: { ref?: (string | { id: string; where?: unknown[] })[] }
}

const selectOf = (request: Request) => (request.query as unknown as { SELECT: Select }).SELECT

/** By the keys in the path, and by the filter. */
function conditionsOf(request: Request): unknown[][] {
  const { where, from } = selectOf(request)
  const own = from.ref?.at(-1)
  const inPath = typeof own === 'object' ? own.where : undefined
  return [inPath, where].filter((each) => each?.length) as unknown[][]
}

/** What the rows asked for must be equal to. */
export const wanted = (request: Request): Row =>
  Object.assign({}, ...conditionsOf(request).map(equalities))

/** The keys of the object that the rows were asked for through; null where they were asked for by themselves. */
export function parentOf(request: Request): Row | null {
  const ref = selectOf(request).from.ref ?? []
  const parent = ref.length > 1 ? ref.at(-2) : undefined
  return typeof parent === 'object' ? equalities(parent.where ?? []) : null
}

/** Those of the rows that are asked for, in the order and of the page asked for. */
export function answer(request: Request, rows: Row[]) {
  const { one, count, columns, orderBy = [], limit } = selectOf(request)
  const conditions = conditionsOf(request)
  const found = rows.filter((row) => conditions.every((condition) => holds(condition, row)))
  if (one) return found[0] ?? null
  if (columns?.[0]?.func === 'count') return [{ $count: found.length }]
  const sorted = orderBy.length ? found.toSorted(byAll(orderBy)) : found
  const from = limit?.offset?.val ?? 0
  const page = sorted.slice(from, from + (limit?.rows?.val ?? sorted.length))
  return count ? Object.assign(page, { $count: found.length }) : page
}

const byAll = (orders: NonNullable<Select['orderBy']>) => (a: Row, b: Row) => {
  for (const { ref, sort } of orders) {
    const [left, right] = [a, b].map((row) => row[String(ref?.at(-1))])
    if (left === right) continue
    const isLess = left == null || (right != null && left < right)
    return isLess === (sort !== 'desc') ? -1 : 1
  }
  return 0
}
