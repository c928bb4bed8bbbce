// Sorting and paging of the few computed rows that no table stores.
import type { Request } from '@sap/cds'
import { Refusal } from '../errors.ts'

export type Row = Record<string, unknown>

interface Select {
  one?: boolean
  count?: boolean
  where?: unknown[]
  columns?: { func?: string }[]
  orderBy?: { ref?: string[]; sort?: string }[]
  limit?: { rows?: { val: number }; offset?: { val: number } }
}

/** The key of the parent in the path; undefined where the rows are read without a parent. */
export function parentOf({ params }: Request, key = 'ID'): number | undefined {
  const [first] = params as (number | Record<string, number>)[]
  const ID = typeof first === 'object' ? first[key] : first
  return ID === undefined ? undefined : Number(ID)
}

/** The requested page of the rows. @throws Refusal invalid_parameter for a filter, which it does not support */
export function pageOf(request: Request, rows: Row[]) {
  const { SELECT } = request.query as { SELECT: Select }
  const { one, count, columns, where, orderBy = [], limit } = SELECT
  if (where?.length) throw new Refusal('invalid_parameter', 'These rows are not filtered.')
  if (one) return rows[0] ?? null
  if (columns?.[0]?.func === 'count') return [{ $count: rows.length }]
  const sorted = orderBy.length ? rows.toSorted(compareBy(orderBy)) : rows
  const from = limit?.offset?.val ?? 0
  const page = sorted.slice(from, from + (limit?.rows?.val ?? sorted.length))
  return count ? Object.assign(page, { $count: rows.length }) : page
}

const compareBy = (orders: NonNullable<Select['orderBy']>) => (a: Row, b: Row) => {
  for (const { ref, sort } of orders) {
    const [left, right] = [a, b].map((row) => row[String(ref?.at(-1))])
    if (left === right) continue
    const isLess = left == null || (right != null && left < right)
    return isLess === (sort !== 'desc') ? -1 : 1
  }
  return 0
}
