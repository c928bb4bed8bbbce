// Rows that no table holds, answered as OData asks for them.
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
  from: { ref?: (string | { id: string; where?: unknown[] })[] }
}

const selectOf = (request: Request) => (request.query as unknown as { SELECT: Select }).SELECT

/** What the rows asked for must be equal to: keys in the path, and `eq` joined by `and` in a filter. */
export function wanted(request: Request): Row {
  const { where, from } = selectOf(request)
  const own = from.ref?.at(-1)
  const inPath = typeof own === 'object' ? own.where : undefined
  return Object.assign({}, equalities(inPath ?? []), equalities(where ?? []))
}

/** The keys of the object that the rows were asked for through; null where they were asked for by themselves. */
export function parentOf(request: Request): Row | null {
  const ref = selectOf(request).from.ref ?? []
  const parent = ref.length > 1 ? ref.at(-2) : undefined
  return typeof parent === 'object' ? equalities(parent.where ?? []) : null
}

/** Those of the rows that are asked for, in the order and of the page asked for. */
export function answer(request: Request, rows: Row[]) {
  const { one, count, columns, orderBy = [], limit } = selectOf(request)
  const conditions = Object.entries(wanted(request))
  const isWanted = (row: Row) => conditions.every(([name, value]) => row[name] === value)
  const found = rows.filter(isWanted)
  if (one) return found[0] ?? null
  if (columns?.[0]?.func === 'count') return [{ $count: found.length }]
  const sorted = orderBy.length ? found.toSorted(byAll(orderBy)) : found
  const from = limit?.offset?.val ?? 0
  const page = sorted.slice(from, from + (limit?.rows?.val ?? sorted.length))
  return count ? Object.assign(page, { $count: found.length }) : page
}

interface Token {
  ref?: string[]
  val?: unknown
  xpr?: unknown[]
}

const JOINING = ['and', '(', ')', '=']

function equalities(where: unknown[]): Row {
  const found: Row = {}
  for (const [at, each] of where.entries()) {
    const token = each as Token | string
    if (token === '=') {
      const pair = [where[at - 1], where[at + 1]] as Token[]
      const name = pair.find(({ ref }) => ref)?.ref?.at(-1)
      found[String(name)] = pair.find((side) => 'val' in side)?.val
    } else if (typeof token === 'object' && token.xpr) {
      Object.assign(found, equalities(token.xpr))
    } else if (typeof token === 'string' ? !JOINING.includes(token) : 'func' in token) {
      throw new Refusal('invalid_parameter', 'These rows are filtered by equality only.')
    }
  }
  return found
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
