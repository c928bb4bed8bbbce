import cds from '@sap/cds'
import type * as Model from '#cds-models/restock'
import { inTransaction } from '../../base/cap/context.ts'
import type { Row } from '../../base/database/entities.ts'
import { equivalentsOf } from '../money/index.ts'
import { isDueNow } from '../../base/time/days.ts'
import { indexOrder, type PageQuery, toNumber, toPage } from '../../base/database/rows.ts'
import { assignedTo } from './assigned/responsible.ts'
import { findProposal, rowsOfReader } from './readers.ts'
import { withCallOffs, withOrderUnits } from './terms/call-offs.ts'
import { type ProposalRow, toProposal } from './to-proposal.ts'

interface Filter {
  status?: string[] | null
  urgency?: string[] | null
  location?: string | null
  sku?: string | null
  supplier?: string | null
  abcClass?: string | null
  updatedSince?: string | null
  minValue?: string | null
  orderByUntil?: string | null
  /** Whether they must be ordered by the present day of their location. */
  due?: boolean | null
  /** A user, `me` or `team`. */
  responsible?: string | null
}

export type Sort = '-created_at' | 'urgency' | '-value' | '-value_at_risk'

interface ListQuery extends PageQuery {
  filter?: Filter
  sort?: Sort
}

interface HistoryQuery extends PageQuery {
  ID: number
}

type Key = { column: string; descending?: boolean }

/** Columns of money, which may be null. */
const MONEY: Partial<Record<Sort, 'value' | 'valueAtRisk'>> = {
  '-value': 'value',
  '-value_at_risk': 'valueAtRisk',
}

/** Total orders, each along an index. The last key is the number, which follows the order of creation. */
const ORDERS: Record<Sort, Key[]> = {
  '-created_at': [{ column: 'ID', descending: true }],
  urgency: [{ column: 'urgencyRank' }, { column: 'orderBy' }, { column: 'ID' }],
  '-value': [
    { column: 'value', descending: true },
    { column: 'ID', descending: true },
  ],
  '-value_at_risk': [
    { column: 'valueAtRisk', descending: true },
    { column: 'ID', descending: true },
  ],
}

const literal = (value: unknown) =>
  typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`

/**
 * The condition of rows after a position, (a, b) > (x, y), by which an index is read from there. SAP HANA compares no tuples
 * and gets a > x or (a = x and b > y).
 * @param keys all in one direction
 */
export function afterPosition(keys: Key[], position: unknown[]): string {
  const sign = keys[0]!.descending ? '<' : '>'
  const columns = keys.map(({ column }) => column)
  const values = position.map(literal)
  if (position.includes(null)) return afterNull(keys, position)
  if (cds.db.kind !== 'hana') return `(${columns.join(', ')}) ${sign} (${values.join(', ')})`
  const terms = columns.map((column, index) => {
    const equal = columns.slice(0, index).map((before, at) => `${before} = ${values[at]}`)
    return [...equal, `${column} ${sign} ${values[index]}`].join(' and ')
  })
  return `((${terms.join(') or (')}))`
}

/** The same if the position contains nulls. A column is null for all rows with the same values before it, or for none. */
function afterNull(keys: Key[], position: unknown[]): string {
  const given = keys.map((key, at) => ({ key, value: position[at] }))
  const { key, value } = given.at(-1)!
  const same = given
    .slice(0, -1)
    .map(({ key, value }) =>
      value === null ? `${key.column} is null` : `${key.column} = ${literal(value)}`,
    )
  return [...same, `${key.column} > ${literal(value)}`].join(' and ')
}

export const listProposals = (query: ListQuery) => inTransaction(() => readPage(query))

async function readPage({ filter = {}, sort = '-created_at', after, limit }: ListQuery) {
  const visible = await rowsOfReader()
  const position = after ? (JSON.parse(after) as unknown[]) : null
  const select = MONEY[sort] ? selectByValue : selectInOrder
  const rows = await select(
    [
      ...conditions(filter),
      ...(filter.minValue ? [await worthAtLeast(filter.minValue)] : []),
      ...(filter.due ? [await isDueNow()] : []),
      ...(filter.responsible ? [await assignedTo(filter.responsible)] : []),
      ...(visible ? [visible] : []),
    ],
    ORDERS[sort],
    position,
    limit + 1,
  )
  const page = toPage(rows, limit, (row) => JSON.stringify(positionOf(row, sort)))
  return { ...page, data: await withCallOffs(await withOrderUnits(page.data.map(toProposal))) }
}

type Select = (
  conditions: object[],
  keys: Key[],
  position: unknown[] | null,
  limit: number,
) => Promise<ProposalRow[]>

const selectInOrder: Select = async (conditions, keys, position, limit) => {
  const columns = keys.map(({ column }) => column)
  const query = SELECT.from('restock.Proposals').limit(limit)
  for (const condition of conditions) query.where(condition)
  if (position) query.where(cds.parse.expr(afterPosition(keys, position)))
  const order = indexOrder(columns, keys[0]!.descending ? 'desc' : 'asc')
  return (await query.orderBy(...order)) as ProposalRow[]
}

/** Proposals without a value come last, wherever the database sorts nulls. */
const selectByValue: Select = async (conditions, keys, position, limit) => {
  const { column } = keys[0]!
  const isPast = position !== null && position[0] === null
  const valued = isPast
    ? []
    : await selectInOrder([...conditions, { [column]: { '!=': null } }], keys, position, limit)
  const left = limit - valued.length
  if (left === 0) return valued
  const unvalued = [...conditions, { [column]: null }]
  const start = isPast ? [position[1]] : null
  return [...valued, ...(await selectInOrder(unvalued, ORDERS['-created_at'], start, left))]
}

function conditions({
  status,
  urgency,
  updatedSince,
  minValue: _v,
  orderByUntil,
  due: _,
  responsible: _r,
  ...equal
}: Filter) {
  return [
    ...Object.entries(equal)
      .filter(([, value]) => value != null)
      .map(([column, value]) => ({ [column]: value })),
    ...(status?.length ? [{ status: status.length === 1 ? status[0] : { in: status } }] : []),
    ...(urgency?.length ? [{ urgency: { in: urgency } }] : []),
    ...(updatedSince ? [{ updatedAt: { '>=': updatedSince } }] : []),
    ...(orderByUntil ? [{ orderBy: { '<=': orderByUntil } }] : []),
  ]
}

/** An amount of the account's currency; what no rate leads from counts as it stands. */
async function worthAtLeast(amount: string): Promise<object> {
  const others = await equivalentsOf(amount)
  if (!others.length) return { value: { '>=': amount } }
  const named = others.map(([currency]) => literal(currency)).join(', ')
  const terms = [
    ...others.map(([currency, least]) => `currency = ${literal(currency)} and value >= ${least}`),
    `(currency is null or currency not in (${named})) and value >= ${amount}`,
  ]
  return cds.parse.expr(`(${terms.map((term) => `(${term})`).join(' or ')})`)
}

function positionOf(row: ProposalRow, sort: Sort): unknown[] {
  if (sort === 'urgency') return [row.urgencyRank, row.orderBy, row.ID]
  if (sort === '-created_at') return [row.ID]
  const value = row[MONEY[sort]!]
  return [value === null ? null : Number(value), row.ID]
}

/** `onBehalfOf` is the absent person whose right the actor used. */
export type HistoryEntry = Pick<
  Row<Model.ProposalEvent>,
  'version' | 'at' | 'actor' | 'onBehalfOf' | 'via' | 'event' | 'quantity' | 'comment'
>

/** The events of a proposal, oldest first. */
export async function listHistory({ ID, after, limit }: HistoryQuery) {
  await findProposal(ID)
  const query = SELECT.from('restock.ProposalEvents')
    .columns('version', 'at', 'actor', 'onBehalfOf', 'via', 'event', 'quantity', 'comment')
    .where({ proposal: ID })
    .orderBy('version', 'at')
    .limit(limit + 1)
  if (after) query.where(cds.parse.expr(afterEntry(after)))
  const rows = (await query) as HistoryEntry[]
  const page = toPage(rows, limit, ({ version, at }) => JSON.stringify([version, at]))
  return { ...page, data: page.data.map((row) => ({ ...row, quantity: toNumber(row.quantity) })) }
}

/** Several events may be of one version: handing over leaves it as it is. */
function afterEntry(after: string): string {
  const position = JSON.parse(after) as number | [number, string]
  if (typeof position === 'number') return `version > ${position}`
  const [version, at] = position
  return `(version > ${version} or version = ${version} and at > ${literal(at)})`
}

/** `ledBy` is the source that leads the pair, if this is why it is blocked. */
export type BlockedPair = Pick<
  Row<Model.BlockedPair>,
  'series' | 'missing' | 'sku' | 'location' | 'reason' | 'ledBy'
> & { source: number }

/** Pairs that cannot be proposed, and what each is missing. */
export async function listBlocked({ after, limit }: PageQuery) {
  const visible = await rowsOfReader()
  const query = SELECT.from('restock.BlockedPairs')
    .columns('series', 'missing', 'sku', 'location', 'reason', 'source_ID as source', 'ledBy')
    .orderBy('series', 'missing')
    .limit(limit + 1)
  if (visible) query.where(visible)
  if (after) {
    const position = JSON.parse(after) as [number, string]
    const keys = [{ column: 'series' }, { column: 'missing' }]
    query.where(cds.parse.expr(afterPosition(keys, position)))
  }
  const rows = (await query) as BlockedPair[]
  return toPage(rows, limit, ({ series, missing }) => JSON.stringify([series, missing]))
}
