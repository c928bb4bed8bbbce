import cds from '@sap/cds'
import { byText } from '../../../../engine/index.ts'
import { addDays, withoutNoise } from '../../../../engine/proposal/index.ts'
import {
  CurrentOpenOrders,
  HandOverLines,
  Proposals,
  QuarantinedRows,
  readAs,
  Receipts,
  StreamStates,
} from '../../../base/database/entities.ts'
import { markSeries } from '../../../base/database/proposal-marks.ts'
import { visibleGeneration } from '../../../base/database/records/records-read.ts'
import { inChunks } from '../../../base/database/rows.ts'
import { settings } from '../../../base/settings/config.ts'
import { DAY_MS } from '../../../base/time/days.ts'
import { statusesBefore } from '../stored/flow.ts'
import { isOneOf, type Pair, pairKey, type Proposal } from '../to-proposal.ts'

/** Up to this number of SKUs only their orders are read; above it all orders of the source. */
const FEW = 500

type ErpOrderRow = Omit<ErpOrder, 'open' | 'received' | 'unitCost' | 'currency'> & {
  line: string
  quantity: unknown
  /** Of open orders alone. */
  unitCost?: unknown
  currency?: string | null
}

const COLUMNS = [
  ...['document', 'line', 'sku', 'location', 'supplier'],
  ...['orderedOn', 'due', 'reference', 'quantity'],
]

/** Orders that are open, or received since the first decision, of the proposals' SKUs, by document and pair. */
export async function readErpOrders(source: number, proposals: Proposal[]): Promise<ErpOrder[]> {
  const skus = [...new Set(proposals.map(({ sku }) => sku))]
  const where = { source_ID: source, ...(skus.length <= FEW && { sku: { in: skus } }) }
  const decided = proposals.flatMap(({ decidedAt }) => decidedAt ?? []).sort()
  const since = decided[0] && { receivedOn: { '>=': addDays(decided[0], -1) } }
  const open = await readAs<ErpOrderRow>(
    SELECT.from(CurrentOpenOrders)
      .columns(...COLUMNS, 'unitCost', 'currency')
      .where(where),
  )
  const received = since
    ? await readAs<ErpOrderRow>(
        SELECT.from(Receipts)
          .columns(...COLUMNS)
          .where({ ...where, ...since }),
      )
    : []
  const orders = new Map<string, ErpOrder>()
  add(orders, open, 'open')
  add(orders, received, 'received')
  return [...orders.values()]
    .filter((order) => order.open + order.received > 0)
    .sort((a, b) => byText(a.document, b.document))
}

const byLine = (a: ErpOrderRow, b: ErpOrderRow) =>
  byText(a.line, b.line) || Number(a.quantity) - Number(b.quantity)

function add(orders: Map<string, ErpOrder>, rows: ErpOrderRow[], as: 'open' | 'received') {
  // If an order has several lines of the pair, each fact is that of the first line with it.
  for (const { quantity, line: _, unitCost, currency = null, ...row } of rows.sort(byLine)) {
    const key = orderKey(row.document, row)
    const known = orders.get(key)
    const order = known ?? { ...row, unitCost: null, currency: null, open: 0, received: 0 }
    order[as] = withoutNoise(order[as] + Number(quantity))
    order.reference ??= row.reference
    order.orderedOn ??= row.orderedOn
    order.supplier ??= row.supplier
    order.due ??= row.due
    if (order.unitCost === null && unitCost != null)
      Object.assign(order, { unitCost: String(unitCost), currency })
    if (!known) orders.set(key, order)
  }
}

// Finds the orders of the ERP that a proposal became.

/** An order of the ERP as far as it is about one pair, over all its lines. */
export interface ErpOrder extends Pair {
  document: string
  supplier: string | null
  /** The day of the order; null if the ERP does not tell it. */
  orderedOn: string | null
  due: string | null
  reference: string | null
  /** Null if the ERP does not tell it. */
  unitCost: string | null
  /** Null: that of the SKU's unit cost. */
  currency: string | null
  open: number
  received: number
}

export interface Match {
  orders: ErpOrder[]
  matchedBy: 'reference' | 'likeness'
}

const REFERENCE = /(?<!\w)(prop|ho)_([1-9]\d{0,9})(?!\w)/gi

/** The proposals and hand-overs that a text names: that of an order that was made of several drafts names them all. */
export const referencesIn = (text: string | null): { kind: string; ID: number }[] =>
  [...(text ?? '').matchAll(REFERENCE)]
    .map(([, kind, digits]) => ({ kind: kind!.toLowerCase(), ID: Number(digits) }))
    .filter(({ ID }) => ID <= 2_147_483_647)

/**
 * An order may name the proposal, or a hand-over that took it: then the pair says which of its lines, and the supplier where there
 * are several of the pair.
 * @param orders those of the proposal's pair: a reference in an order of another pair is a typing error
 * @param handOvers those that took the proposal
 */
export function findReferring(
  { ID }: Proposal,
  orders: ErpOrder[],
  handOvers: readonly HandedOver[] = [],
): Match | null {
  const referring = orders.filter((order) =>
    referencesIn(order.reference).some((found) => {
      if (found.kind === 'prop') return found.ID === ID
      const handOver = handOvers.find((each) => each.ID === found.ID)
      return handOver && linesFor(order, handOver).some(({ proposal }) => proposal === ID)
    }),
  )
  return referring.length ? { orders: referring, matchedBy: 'reference' } : null
}

/** A hand-over, with its lines of one pair. */
export interface HandedOver {
  ID: number
  lines: readonly { proposal: number; supplier: string | null }[]
}

/** The lines that an order may be of: those at its supplier, else those of no supplier, else the only one, which it was not ordered at. */
function linesFor({ supplier }: ErpOrder, { lines }: HandedOver): HandedOver['lines'] {
  if (supplier === null || lines.length === 1) return lines
  const own = lines.filter((line) => line.supplier === supplier)
  return own.length ? own : lines.filter((line) => line.supplier === null)
}

type HandOverRow = Pair & { proposal: number; handOver: number; supplier: string | null }

/** The hand-overs that took these proposals, by their numbers. */
export async function readHandOversOf(proposals: Proposal[]): Promise<Map<number, HandedOver[]>> {
  const taken = proposals.filter(({ handOver }) => handOver !== null)
  const rows: HandOverRow[] = []
  for (const chunk of inChunks([...new Set(await handOversOf(taken))]))
    rows.push(
      ...(await readAs<HandOverRow>(
        SELECT.from(HandOverLines)
          .columns('proposal', 'handOver', 'sku', 'location', 'supplier')
          .where({ handOver: { in: chunk } }),
      )),
    )
  const lines = Map.groupBy(rows, (row) => orderKey(String(row.handOver), row))
  const found = new Map<number, HandedOver[]>()
  for (const row of rows) {
    const own = { ID: row.handOver, lines: lines.get(orderKey(String(row.handOver), row))! }
    found.set(row.proposal, [...(found.get(row.proposal) ?? []), own])
  }
  return found
}

/** A proposal may have been taken several times. */
async function handOversOf(proposals: Proposal[]): Promise<number[]> {
  const found: number[] = []
  for (const chunk of inChunks(proposals.map(({ ID }) => ID))) {
    const rows = await readAs<{ handOver: number }>(
      SELECT.from(HandOverLines)
        .columns('handOver')
        .where({ proposal: { in: chunk } }),
    )
    found.push(...rows.map(({ handOver }) => handOver))
  }
  return found
}

interface Now {
  today: string
  /** How many days after the approval its order may be placed. */
  days: number
  /** Keys of the orders that other proposals became. */
  taken: ReadonlySet<string>
}

export const orderKey = (document: string, pair: Pair) => `${document}\u0000${pairKey(pair)}`

/**
 * The first order of the pair that names no proposal, is newer than the calculation, and has the supplier, the quantity and a
 * day soon after the approval; or all such orders, where it is together that they have the quantity.
 */
export function findAlike(proposal: Proposal, orders: ErpOrder[], now: Now): Match | null {
  if (!orders.length || proposal.kind !== 'purchase' || !proposal.decidedAt) return null
  // The ERP's day may be one behind that of the approval, which is UTC.
  const from = addDays(proposal.decidedAt, -1)
  const to = addDays(proposal.decidedAt, now.days)
  const known = documentsKnownTo(proposal)
  const alike = orders.filter(
    (order) =>
      isWithin(order.orderedOn ?? now.today, from, to) &&
      hasSame(order.supplier, proposal.supplier) &&
      !referencesIn(order.reference).length &&
      !known.some((document) => document.startsWith(`${order.document}/`)) &&
      !now.taken.has(orderKey(order.document, order)),
  )
  const whole = alike.find((order) => quantityOf(order) === proposal.quantity)
  if (whole) return { orders: [whole], matchedBy: 'likeness' }
  const together = withoutNoise(alike.reduce((sum, order) => sum + quantityOf(order), 0))
  return together === proposal.quantity ? { orders: alike, matchedBy: 'likeness' } : null
}

const quantityOf = ({ open, received }: ErpOrder) => withoutNoise(open + received)

const isWithin = (day: string, from: string, to: string) => day >= from && day <= to

const hasSame = (a: string | null, b: string | null) => a === null || b === null || a === b

interface Basis {
  position?: { receipts?: { document?: string }[] | null }
}

/** The open orders that were part of the proposal's calculation, each with its line. */
function documentsKnownTo({ basis }: Proposal): string[] {
  const { position } = basis ? (JSON.parse(basis) as Basis) : {}
  return (position?.receipts ?? []).flatMap(({ document }) => document ?? [])
}

/** The flag if no order of the ERP was found within `orderedWithinDays`. */
const NOT_SEEN = 'not_seen_in_erp'
/** The flag if none was found within `approvedSupplyDays`: the proposal no longer counts as supply. */
export const NOT_COUNTED = 'not_counted'

/** Whether an approved proposal counts as supply before the ERP has an order for it. */
export const isCounted = ({ status, flag }: { status: string; flag: string | null }) =>
  status === 'approved' && flag !== NOT_COUNTED

/** Flags old approvals without an order; if the ERP's orders are not read, only after the lead time. */
export async function flagMissingOrders(source: number) {
  const isRead = (await visibleGeneration(source, 'openOrders')) !== null
  const { orderedWithinDays, approvedSupplyDays } = settings()
  if (isRead) await flagNotSeen(source, orderedWithinDays)
  await stopCounting(source, Math.max(approvedSupplyDays, orderedWithinDays), !isRead)
}

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()

const flagNotSeen = (source: number, days: number) =>
  UPDATE.entity(Proposals)
    .set({ flag: NOT_SEEN })
    .where({
      source_ID: source,
      status: { in: statusesBefore('markOrdered') },
      flag: null,
      decidedAt: { '<=': daysAgo(days) },
    })

async function stopCounting(source: number, days: number, waitsForLeadTime: boolean) {
  const rows = await readAs<Counting>(
    SELECT.from(Proposals)
      .columns('ID', 'series', 'decidedAt', 'flag', 'calculation_leadTimeDays as leadTimeDays')
      .where({
        source_ID: source,
        status: { in: statusesBefore('markOrdered') },
        decidedAt: { '<=': daysAgo(days) },
      }),
  )
  for (const { ID, series, decidedAt, flag, leadTimeDays } of rows) {
    if (flag === NOT_COUNTED) continue
    if (waitsForLeadTime && decidedAt > daysAgo(days + Number(leadTimeDays))) continue
    await cds.tx(async () => {
      await markSeries(series)
      await UPDATE.entity(Proposals)
        .set({ flag: NOT_COUNTED })
        .where({ ID, status: { in: statusesBefore('markOrdered') } })
    })
  }
}

interface Counting {
  ID: number
  series: number
  decidedAt: string
  flag: string | null
  leadTimeDays: number | null
}

// Open orders of the ERP of which nobody knows how much they bring: their pairs are blocked, so that nothing is ordered twice.

export interface UnreadOrders {
  /** A sentence of what could not be read for a pair; null: its open orders are known. */
  of(pair: Pair): string | null
}

const RECORD = 'openOrders'

/**
 * Rejected rows, and a list that failed before it was ever read. A list that the ERP does not have is none, and a copy of a
 * row brings nothing more.
 * @param pairs absent for all
 */
export async function readUnreadOrders(
  source: number,
  pairs?: readonly Pair[],
): Promise<UnreadOrders> {
  const own = { source_ID: source, record: RECORD }
  if ((await isLacking(own)) && (await visibleGeneration(source, RECORD)) === null)
    return { of: () => 'The open orders of this source have not been read once.' }
  const rows = await readAs<{ sku: string; location: string | null; place: string }>(
    SELECT.from(QuarantinedRows)
      .columns('sku', 'location', 'place')
      .where({
        ...own,
        code: { '!=': 'duplicate_row' },
        sku: pairs ? isOneOf(pairs, ({ sku }) => sku) : { '>': '' },
      })
      .orderBy('place'),
  )
  const bySku = Map.groupBy(rows, ({ sku }) => sku)
  return {
    of({ sku, location }) {
      const row = bySku.get(sku)?.find((each) => !each.location || each.location === location)
      return row ? `An open order of this pair could not be read: ${row.place}.` : null
    },
  }
}

const isLacking = async (own: { source_ID: number; record: string }) =>
  Boolean((await SELECT.one.from(StreamStates).columns('owed').where(own))?.owed)
