// Which orders of the ERP a proposal became.
import { addDays } from '../../../engine/proposal/index.ts'
import { type Pair, pairKey } from '../pair.ts'
import type { Proposal } from '../to-proposal.ts'

/** What an order of the ERP has of a pair, over all its lines. */
export interface ErpOrder extends Pair {
  document: string
  supplier: string | null
  /** The day of the order; null where the ERP does not say. */
  orderedOn: string | null
  reference: string | null
  open: number
  received: number
}

export interface Match {
  orders: ErpOrder[]
  matchedBy: 'reference' | 'likeness'
}

const REFERENCE = /^\s*prop_([1-9]\d{0,9})\s*$/i

/** The number of the proposal that an order names; null where it names none. */
export function referredProposal(reference: string | null): number | null {
  const ID = Number(reference && REFERENCE.exec(reference)?.[1])
  return ID > 0 && ID <= 2_147_483_647 ? ID : null
}

/** @param orders of the proposal's pair: a reference on one of another pair is a typing error */
export function findReferring(proposal: Proposal, orders: ErpOrder[]): Match | null {
  const referring = orders.filter(({ reference }) => referredProposal(reference) === proposal.ID)
  return referring.length ? { orders: referring, matchedBy: 'reference' } : null
}

interface Now {
  today: string
  /** So many days after the approval an order of it may be made. */
  days: number
  /** Keys of the orders that stand for another proposal. */
  taken: ReadonlySet<string>
}

export const orderKey = (document: string, pair: Pair) => `${document}\u0000${pairKey(pair)}`

/**
 * The first order of the pair that names no proposal, was not yet there when this one was calculated, and has its
 * supplier, its quantity and a day soon after the approval.
 */
export function findAlike(proposal: Proposal, orders: ErpOrder[], now: Now): Match | null {
  if (!orders.length || proposal.kind !== 'purchase' || !proposal.decidedAt) return null
  // The ERP's day may be one behind that of the approval, which is UTC.
  const from = addDays(proposal.decidedAt, -1)
  const to = addDays(proposal.decidedAt, now.days)
  const known = documentsKnownTo(proposal)
  const alike = orders.find(
    (order) =>
      order.open + order.received === proposal.quantity &&
      isWithin(order.orderedOn ?? now.today, from, to) &&
      hasSame(order.supplier, proposal.supplier) &&
      referredProposal(order.reference) === null &&
      !known.some((document) => document.startsWith(`${order.document}/`)) &&
      !now.taken.has(orderKey(order.document, order)),
  )
  return alike ? { orders: [alike], matchedBy: 'likeness' } : null
}

const isWithin = (day: string, from: string, to: string) => day >= from && day <= to

const hasSame = (a: string | null, b: string | null) => a === null || b === null || a === b

interface Basis {
  position?: { receipts?: { document?: string }[] | null }
}

/** Open orders that the proposal was calculated with, each with its line. */
function documentsKnownTo({ basis }: Proposal): string[] {
  const { position } = basis ? (JSON.parse(basis) as Basis) : {}
  return (position?.receipts ?? []).flatMap(({ document }) => document ?? [])
}
