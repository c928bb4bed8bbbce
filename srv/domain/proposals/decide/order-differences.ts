// Orders of the ERP that differ from the lines that were handed over: in quantity, price or day, with the money of it.
import cds from '@sap/cds'
import { addDays, daysBetween } from '../../../../engine/proposal/index.ts'
import {
  Exceptions,
  HandOverLines,
  HandOvers,
  readAs,
  Receipts,
} from '../../../base/database/entities.ts'
import { inChunks } from '../../../base/database/rows.ts'
import type { Facts } from '../../../base/texts/sentences.ts'
import { today } from '../../../base/time/days.ts'
import { type SourceMessage, updateSourceExceptions } from '../run/exceptions.ts'
import { statusAfter } from '../stored/flow.ts'
import { type ErpOrder, readErpOrders } from '../terms/erp-orders.ts'
import { costOf, pairKey, type Proposal, type ProposalRow, toProposal } from '../to-proposal.ts'

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
export async function reportDifferences(source: number, marked: ReadonlySet<number>) {
  const taken = await readTaken(source)
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
async function readTaken(source: number): Promise<Map<number, Taken>> {
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
    'document' | 'open' | 'received' | 'due' | 'unitCost' | 'currency'
  >[],
  { handOver, wantedOn, cost: handed, isWhole }: Omit<Taken, 'proposal'> & { isWhole: boolean },
): SourceMessage | null {
  const [first] = orders
  if (!first) return null
  const { ID, sku, location, supplier, quantity: approved, currency } = proposal
  const known = orders.reduce((sum, { open, received }) => sum + open + received, 0)
  const ordered = isWhole ? known : Math.max(known, approved)
  const cost = handed ?? (proposal.unitCost === null ? null : Number(proposal.unitCost))
  // A price in another currency is not compared: by which rate the two are equal, nobody has agreed.
  const isComparable = [null, currency].includes(first.currency) && first.unitCost !== null
  const price = isComparable ? Number(first.unitCost) : null
  const { due } = first
  const isDearer = cost !== null && price !== null && differs(price, cost)
  const isMoved = due !== null && Math.abs(daysBetween(wantedOn, due)) > TOLERATED_DAYS
  const what: Facts[] = [
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

/** What the order costs more or less than was approved; where only its day differs, what it is worth. */
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
