// Marks approved proposals as ordered once the ERP has an order for them. Nothing is written to the ERP.
import cds from '@sap/cds'
import { addDays, daysBetween, withoutNoise } from '../../../../engine/proposal/index.ts'
import {
  Exceptions,
  HandOverLines,
  HandOvers,
  readAs,
  Receipts,
} from '../../../base/database/entities.ts'
import { inChunks } from '../../../base/database/rows.ts'
import { settings } from '../../../base/settings/config.ts'
import type { Facts } from '../../../base/texts/sentences.ts'
import { today } from '../../../base/time/days.ts'
import { type SourceMessage, updateSourceExceptions } from '../run/exceptions.ts'
import { statusAfter, statusesBefore } from '../stored/flow.ts'
import {
  type ErpOrder,
  findAlike,
  findReferring,
  flagMissingOrders,
  type Match,
  orderKey,
  readErpOrders,
  readHandOversOf,
} from '../terms/erp-orders.ts'
import {
  costOf,
  type Pair,
  pairKey,
  type Proposal,
  type ProposalRow,
  toProposal,
} from '../to-proposal.ts'
import { alreadyDecided, transition } from './transition.ts'

/**
 * Marks proposals whose order the ERP has, open or already received, and flags those without an order for too long. It must
 * run before supply is counted. If an order matches several proposals, the oldest gets it.
 */
export async function markOrderedProposals(source: number) {
  await reportDifferences(source, await markApproved(source))
}

/** @returns those that were marked */
async function markApproved(source: number): Promise<Set<number>> {
  const marked = new Set<number>()
  const approved = await readApproved(source)
  if (!approved.length) return marked
  const orders = await readErpOrders(source, approved)
  const ordersOf = Map.groupBy(orders, pairKey)
  const own = (proposal: Proposal) => ordersOf.get(pairKey(proposal)) ?? []
  const taken = orders.length ? await readTaken(approved) : new Set<string>()
  const handOvers = orders.length ? await readHandOversOf(approved) : new Map<number, never>()
  const rest: Proposal[] = []
  for (const proposal of approved) {
    const match = findReferring(proposal, own(proposal), handOvers.get(proposal.ID))
    if (!match) rest.push(proposal)
    else if (await markOrdered(proposal, match)) marked.add(proposal.ID)
  }
  const now = { today: today(), days: settings().approvedSupplyDays }
  for (const proposal of rest) {
    const match = findAlike(proposal, own(proposal), { ...now, taken })
    if (!match) continue
    match.orders.forEach((order) => taken.add(orderKey(order.document, order)))
    if (await markOrdered(proposal, match)) marked.add(proposal.ID)
  }
  await flagMissingOrders(source)
  return marked
}

async function readApproved(source: number): Promise<Proposal[]> {
  const rows = (await SELECT.from('restock.Proposals')
    .where({ source_ID: source, status: { in: statusesBefore('markOrdered') } })
    .orderBy('ID')) as ProposalRow[]
  return rows.map(toProposal)
}

/** Orders that were matched to another proposal by likeness, without naming it. */
async function readTaken(approved: Proposal[]): Promise<Set<string>> {
  const series = [...new Set(approved.map((proposal) => proposal.series))]
  const taken = new Set<string>()
  for (const chunk of inChunks(series)) {
    const rows = (await SELECT.from('restock.Proposals')
      .columns('erpOrder', 'sku', 'location')
      .where({
        series: { in: chunk },
        status: 'ordered',
        matchedBy: 'likeness',
      })) as (Pair & { erpOrder: string })[]
    for (const row of rows)
      for (const document of row.erpOrder.split(', ')) taken.add(orderKey(document, row))
  }
  return taken
}

/** @returns false where somebody has decided otherwise meanwhile */
async function markOrdered(proposal: Proposal, { orders, matchedBy }: Match): Promise<boolean> {
  const erpOrder = [...new Set(orders.map(({ document }) => document))].sort().join(', ')
  const set = { flag: null, erpOrder: erpOrder.slice(0, 255), matchedBy }
  const comment = commentOf(proposal, erpOrder, { orders, matchedBy }).slice(0, 1000)
  try {
    await cds.tx(() => transition(proposal, { step: 'markOrdered', set, comment }))
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code !== alreadyDecided(proposal).code) throw error
    return false
  }
}

/** The comment of the event: which order, how it was found, and where it differs from what was approved. */
function commentOf(proposal: Proposal, erpOrder: string, { orders, matchedBy }: Match): string {
  const supplierPart = proposal.supplier === null ? '' : 'supplier, '
  const how =
    matchedBy === 'reference' ? '' : `, found by ${supplierPart}SKU, location, quantity and day`
  const units = (of: (order: ErpOrder) => number) =>
    withoutNoise(orders.reduce((sum, order) => sum + of(order), 0))
  const open = units((order) => order.open)
  const received = units((order) => order.received)
  const other = otherSupplierOf(proposal, orders)
  const at = other ? ` at supplier ${other}, approved for ${proposal.supplier}` : ''
  const state = [open > 0 && `${open} are open`, received > 0 && `${received} received`]
  const differs = `, of which ${state.filter(Boolean).join(', ')}; ${proposal.quantity} were approved`
  if (withoutNoise(open + received) !== proposal.quantity)
    return `ERP order ${erpOrder}${at}${how}${differs}`
  return `ERP order ${erpOrder}${at}${how}${open > 0 ? '' : ', received'}`
}

/** The supplier of an order that is at another one than was approved; undefined where none is, or nobody says. */
const otherSupplierOf = (
  { supplier }: Proposal,
  orders: readonly Pick<ErpOrder, 'supplier'>[],
): string | undefined =>
  orders.flatMap((order) => order.supplier ?? []).find((each) => supplier && each !== supplier)

// Orders of the ERP that differ from the lines that were handed over: in supplier, quantity, price or day, with the money of it.

/** For so long after its hand-over an order is compared with it. */
const COMPARED_DAYS = 60
/** Work days and closures move a day by so much without a word. */
const TOLERATED_DAYS = 3
/** Prices are kept with four places for a base unit, of which many make an order unit. */
const TOLERATED_PRICE_SHARE = 0.005

interface Taken {
  proposal: number
  handOver: number
  wantedOn: string
  /** Of a base unit, as it was handed over; null: as it was approved. */
  cost: number | null
}

/**
 * Brings the exceptions to the orders of now; one is gone once its order is as it was handed over, or is no more.
 * @param marked proposals whose order was found just now
 */
async function reportDifferences(source: number, marked: ReadonlySet<number>) {
  const taken = await readHandedOver(source)
  const ordered = await readOrdered([...taken.keys()])
  const orders = ordered.length ? await readErpOrders(source, ordered) : []
  const ordersOf = Map.groupBy(orders, pairKey)
  const saysWhatCame = await tellsReceipts(source)
  const told = saysWhatCame ? new Set<string>() : await readTold(source)
  const found = ordered.flatMap((proposal) => {
    const documents = new Set(proposal.erpOrder?.split(', '))
    const own = (ordersOf.get(pairKey(proposal)) ?? []).filter(({ document }) =>
      documents.has(document),
    )
    const isWhole = saysWhatCame || marked.has(proposal.ID) || told.has(nameOf(proposal.ID))
    return differenceOf(proposal, own, { ...taken.get(proposal.ID)!, isWhole }) ?? []
  })
  await cds.tx(() => updateSourceExceptions(source, 'order_differs', found))
}

/** A source without receipts does not say why less is open than was: of its orders what lacks later has come. */
async function tellsReceipts(source: number): Promise<boolean> {
  return Boolean(await SELECT.one.from(Receipts).columns('document').where({ source_ID: source }))
}

/** The proposals whose orders differed before. */
async function readTold(source: number): Promise<Set<string>> {
  const rows = await readAs<{ facts: string | null }>(
    SELECT.from(Exceptions).columns('facts').where({ source_ID: source, kind: 'order_differs' }),
  )
  return new Set(rows.map(({ facts }) => (JSON.parse(facts ?? '{}') as Told).proposal ?? ''))
}

interface Told {
  proposal?: string
}

const nameOf = (ID: number) => `prop_${ID}`

type TakenRow = Taken & Record<'quantity' | 'orderQuantity' | 'orderPrice', unknown>

const costOfUnit = ({ quantity, orderQuantity, orderPrice }: Omit<TakenRow, keyof Taken>) =>
  orderPrice == null ? null : (Number(orderPrice) * Number(orderQuantity)) / Number(quantity)

/** The latest hand-over of each proposal. */
async function readHandedOver(source: number): Promise<Map<number, Taken>> {
  const since = `${addDays(today(), -COMPARED_DAYS)}T00:00:00.000Z`
  const handOvers = await readAs<{ ID: number }>(
    SELECT.from(HandOvers)
      .columns('ID')
      .where({ source_ID: source, takenAt: { '>=': since } }),
  )
  const taken = new Map<number, Taken>()
  for (const chunk of inChunks(handOvers.map(({ ID }) => ID))) {
    const rows = await readAs<TakenRow>(
      SELECT.from(HandOverLines)
        .columns('proposal', 'handOver', 'wantedOn', 'quantity', 'orderQuantity', 'orderPrice')
        .where({ handOver: { in: chunk } })
        .orderBy('handOver'),
    )
    for (const { proposal, handOver, wantedOn, ...row } of rows)
      taken.set(proposal, { proposal, handOver, wantedOn, cost: costOfUnit(row) })
  }
  return taken
}

async function readOrdered(ids: number[]): Promise<Proposal[]> {
  const found: Proposal[] = []
  for (const chunk of inChunks(ids)) {
    const rows = (await SELECT.from('restock.Proposals')
      .where({ ID: { in: chunk }, status: statusAfter('markOrdered') })
      .orderBy('ID')) as ProposalRow[]
    found.push(...rows.map(toProposal))
  }
  return found
}

/**
 * Null where the order is as it was handed over, as far as the ERP says.
 * @param isWhole false: what lacks of the orders may have come, and nobody says so
 */
export function differenceOf(
  proposal: Proposal,
  orders: readonly Pick<
    ErpOrder,
    'document' | 'supplier' | 'open' | 'received' | 'due' | 'unitCost' | 'currency'
  >[],
  { handOver, wantedOn, cost: handed, isWhole }: Omit<Taken, 'proposal'> & { isWhole: boolean },
): SourceMessage | null {
  const [first] = orders
  if (!first) return null
  const { ID, sku, location, supplier, quantity: approved, currency } = proposal
  const known = withoutNoise(orders.reduce((sum, { open, received }) => sum + open + received, 0))
  const ordered = isWhole ? known : Math.max(known, approved)
  const cost = handed ?? (proposal.unitCost === null ? null : Number(proposal.unitCost))
  // A price in another currency is not compared: by which rate the two are equal, nobody has agreed.
  const isComparable = [null, currency].includes(first.currency) && first.unitCost !== null
  const price = isComparable ? Number(first.unitCost) : null
  const { due } = first
  const isDearer = cost !== null && price !== null && differs(price, cost)
  const isMoved = due !== null && Math.abs(daysBetween(wantedOn, due)) > TOLERATED_DAYS
  const other = otherSupplierOf(proposal, orders)
  const what: Facts[] = [
    ...(other && supplier ? [{ text: 'differs_supplier', other, supplier }] : []),
    ...(ordered !== approved ? [{ text: 'differs_quantity', ordered, approved }] : []),
    ...(isDearer ? [{ text: 'differs_price', price: costOf(price)!, cost: costOf(cost)! }] : []),
    ...(isMoved ? [{ text: 'differs_day', due, wanted: wantedOn }] : []),
  ]
  if (!what.length) return null
  const joined = what.reduce((first, second) => ({ text: 'differs_and', first, second }))
  const { document } = first
  return {
    ...{ kind: 'order_differs', sku, location, supplier, currency, document },
    quantity: Math.abs(ordered - approved) || ordered,
    ...{ promisedOn: due, wantedOn },
    value: moneyOf({ ordered, approved, cost, price: isDearer ? price : cost }),
    facts: {
      text: 'exception_order_differs',
      ...{ document, proposal: nameOf(ID), handOver: `ho_${handOver}`, what: joined },
    },
  }
}

const differs = (price: number, cost: number) =>
  Math.abs(price - cost) > Math.max(cost, price) * TOLERATED_PRICE_SHARE

/** What the order costs more or less than was approved; where only its day or supplier differs, what it is worth. */
function moneyOf(of: {
  ordered: number
  approved: number
  cost: number | null
  price: number | null
}): number | null {
  if (of.cost === null || of.price === null) return null
  const difference = Math.abs(of.ordered * of.price - of.approved * of.cost)
  return Math.round((difference || of.ordered * of.price) * 100) / 100
}
