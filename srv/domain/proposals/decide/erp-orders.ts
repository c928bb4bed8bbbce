// Marks approved proposals as ordered once the ERP has an order for them. Nothing is written to the ERP.
import cds from '@sap/cds'
import { settings } from '../../../base/settings/config.ts'
import { inChunks } from '../../../base/database/rows.ts'
import { statusesBefore } from '../stored/flow.ts'
import { today } from '../../../base/time/days.ts'
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
import { reportDifferences } from './order-differences.ts'
import { alreadyDecided, transition } from './transition.ts'
import { type Pair, pairKey, type Proposal, type ProposalRow, toProposal } from '../to-proposal.ts'

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
  const handOvers = orders.length ? await readHandOversOf(approved) : new Map<number, number[]>()
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
    for (const row of rows) taken.add(orderKey(row.erpOrder, row))
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
    orders.reduce((sum, order) => sum + of(order), 0)
  const open = units((order) => order.open)
  const received = units((order) => order.received)
  const state = [open > 0 && `${open} are open`, received > 0 && `${received} received`]
  const differs = `, of which ${state.filter(Boolean).join(', ')}; ${proposal.quantity} were approved`
  if (open + received !== proposal.quantity) return `ERP order ${erpOrder}${how}${differs}`
  return `ERP order ${erpOrder}${how}${open > 0 ? '' : ', received'}`
}
