import cds from '@sap/cds'
import { toProposal } from './to-proposal.ts'

const { SELECT } = cds.ql

export interface Filter {
  status?: string[]
  location?: string
  sku?: string
  supplier?: string
  updatedSince?: string
  minValue?: string
}

export type Sort = '-created_at' | 'urgency' | '-value'

interface ListQuery {
  filter?: Filter
  sort?: Sort
  /** The position of the last row seen, as `next` gave it. */
  after?: string | null
  limit: number
}

type Key = { column: string; descending?: boolean }

/** Total orders: the last key is the number, given in the order of creation. */
const ORDERS: Record<Sort, Key[]> = {
  '-created_at': [{ column: 'ID', descending: true }],
  urgency: [{ column: 'urgencyRank' }, { column: 'orderBy' }, { column: 'ID' }],
  '-value': [
    { column: 'coalesce(value, 0)', descending: true },
    { column: 'ID', descending: true },
  ],
}

const literal = (value: unknown) =>
  typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`

const toOrder = ({ column, descending }: Key) => ({
  ...cds.parse.expr(column),
  sort: descending ? 'desc' : 'asc',
})

/** Rows after a position: (a > x) or (a = x and b > y) … */
export function afterPosition(keys: Key[], position: unknown[]): string {
  const terms = keys.map(({ column, descending }, index) => {
    const equal = keys.slice(0, index).map((key, at) => `${key.column} = ${literal(position[at])}`)
    return [...equal, `${column} ${descending ? '<' : '>'} ${literal(position[index])}`].join(
      ' and ',
    )
  })
  return `(${terms.join(') or (')})`
}

export async function listProposals({
  filter = {},
  sort = '-created_at',
  after,
  limit,
}: ListQuery) {
  const keys = ORDERS[sort]
  const query = SELECT.from('restock.Proposals').limit(limit + 1)
  Object.assign(query.SELECT, { orderBy: keys.map(toOrder) })
  for (const condition of conditions(filter)) query.where(condition)
  if (after) query.where(cds.parse.expr(afterPosition(keys, JSON.parse(after))))
  const rows = await query
  const data = rows.slice(0, limit)
  const next = rows.length > limit ? JSON.stringify(positionOf(data.at(-1)!, sort)) : null
  return { data: data.map(toProposal), next }
}

function conditions({ status, updatedSince, minValue, ...equal }: Filter) {
  return [
    ...Object.entries(equal)
      .filter(([, value]) => value != null)
      .map(([column, value]) => ({ [column]: value })),
    ...(status?.length ? [{ status: { in: status } }] : []),
    ...(updatedSince ? [{ updatedAt: { '>=': updatedSince } }] : []),
    ...(minValue ? [{ value: { '>=': minValue } }] : []),
  ]
}

function positionOf(row: Record<string, unknown>, sort: Sort): unknown[] {
  if (sort === 'urgency') return [row.urgencyRank, row.orderBy, row.ID]
  return sort === '-value' ? [Number(row.value ?? 0), row.ID] : [row.ID]
}

/** Oldest first. */
export async function listHistory({ ID, after, limit }: { ID: number } & ListQuery) {
  const rows = await SELECT.from('restock.ProposalEvents')
    .where({ proposal: ID, ...(after ? { version: { '>': Number(after) } } : {}) })
    .orderBy('version')
    .limit(limit + 1)
  const data = rows.slice(0, limit)
  return { data, next: rows.length > limit ? String(data.at(-1)!.version) : null }
}

export async function listBlocked({ after, limit }: ListQuery) {
  const query = SELECT.from('restock.BlockedPairs')
    .orderBy('series', 'missing')
    .limit(limit + 1)
  if (after) {
    const position = JSON.parse(after) as [number, string]
    const keys = [{ column: 'series' }, { column: 'missing' }]
    query.where(cds.parse.expr(afterPosition(keys, position)))
  }
  const rows = await query
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  return { data, next: rows.length > limit ? JSON.stringify([last!.series, last!.missing]) : null }
}
