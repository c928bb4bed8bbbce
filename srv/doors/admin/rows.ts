// Rows of AdminService: the one that an action is bound to, and pages of those that no table stores.
import cds, { type Request } from '@sap/cds'
import { isRefusal, Refusal } from '../../base/errors.ts'
import type { ODataRow } from '../../base/odata/query-limits.ts'

export type { ODataRow }

interface Select {
  one?: boolean
  count?: boolean
  where?: unknown[]
  columns?: { func?: string }[]
  orderBy?: { ref?: string[]; sort?: string }[]
  limit?: { rows?: { val: number }; offset?: { val: number } }
}

/** A row as the answer of an action. */
export async function readOwnRow(entity: string, key: object): Promise<unknown> {
  const admin = await cds.connect.to('AdminService')
  return admin.run(SELECT.one.from(`AdminService.${entity}`).where(key))
}

/** The first key in the path: that of the row that an action is bound to, or of the parent; undefined without one. */
export function keyOf<ID = number>({ params }: Request, key = 'ID'): ID | undefined {
  const [first] = params as (ID | Record<string, ID> | undefined)[]
  return typeof first === 'object' ? (first as Record<string, ID>)[key] : first
}

/** What is read of a parent; null where there is no such parent, which its own page says. */
export async function unlessGone<Row>(parent: Promise<Row>): Promise<Row | null> {
  try {
    return await parent
  } catch (error) {
    if (isRefusal(error) && /not_found$/.test(error.code)) return null
    throw error
  }
}

/** A handler that works on the row that an action is bound to. */
export const withKey =
  <Key = number>(act: (key: Key) => unknown) =>
  (request: Request) =>
    act(keyOf<Key>(request)!)

/** A handler that answers with the row as it is afterwards. */
export const withKeyAndRead =
  <Key = number>(entity: string, act: (key: Key) => unknown) =>
  async (request: Request) => {
    await withKey(act)(request)
    return readOwnRow(entity, { ID: keyOf(request) })
  }

/** The requested page of the rows. @throws Refusal invalid_parameter for a filter, which it does not support */
export function pageOf(request: Request, rows: ODataRow[]) {
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

const compareBy = (orders: NonNullable<Select['orderBy']>) => (a: ODataRow, b: ODataRow) => {
  for (const { ref, sort } of orders) {
    const [left, right] = [a, b].map((row) => row[String(ref?.at(-1))])
    if (left === right) continue
    const isLess = left == null || (right != null && left < right)
    return isLess === (sort !== 'desc') ? -1 : 1
  }
  return 0
}
