// Marks proposals as ordered when an order in the ERP refers to them. Nothing is written to the ERP.
import cds from '@sap/cds'
import { settings } from '../../config.ts'
import { toNumber } from '../../store/numbers.ts'
import { statusesBefore } from '../../store/proposal-flow.ts'
import { alreadyDecided, transition } from './transition.ts'
import { type Proposal, type ProposalRow, toProposal } from '../to-proposal.ts'

const { SELECT, UPDATE } = cds.ql

const DAY_MS = 86_400_000
const CHUNK = 500
const REFERENCE = /^\s*prop_([1-9]\d{0,9})\s*$/i
export const NOT_SEEN = 'not_seen_in_erp'

interface ErpOrder {
  document: string
  sku: string
  location: string
  quantity: number
}

/** Marks what the ERP has ordered, and flags what it should have ordered by now; runs before supply is counted. */
export async function markOrderedProposals(source: number) {
  const orders = await referringOrders(source)
  const ids = [...orders.keys()]
  for (let at = 0; at < ids.length; at += CHUNK) {
    const approved = await approvedAmong(source, ids.slice(at, at + CHUNK))
    for (const proposal of approved) await markOrdered(proposal, orders.get(proposal.ID)!)
  }
  await flagMissingOrders(source)
}

/** Lines of open orders by the proposal that they name. */
async function referringOrders(source: number): Promise<Map<number, ErpOrder[]>> {
  const rows = (await SELECT.from('restock.CurrentOpenOrders')
    .columns('document', 'sku', 'location', 'quantity', 'reference')
    .where({ source_ID: source, reference: { '!=': null } })) as (ErpOrder & {
    reference: string
  })[]
  const orders = new Map<number, ErpOrder[]>()
  for (const { reference, quantity, ...row } of rows) {
    const ID = Number(REFERENCE.exec(reference)?.[1])
    if (!(ID <= 2_147_483_647)) continue
    const lines = orders.get(ID) ?? []
    orders.set(ID, [...lines, { ...row, quantity: toNumber(quantity) ?? 0 }])
  }
  return orders
}

async function approvedAmong(source: number, ids: number[]): Promise<Proposal[]> {
  const rows = (await SELECT.from('restock.Proposals')
    .where({ source_ID: source, status: { in: statusesBefore('markOrdered') }, ID: { in: ids } })
    .orderBy('ID')) as ProposalRow[]
  return rows.map(toProposal)
}

/** A reference on an order of another SKU or location is a typing error, and is ignored. */
async function markOrdered(proposal: Proposal, lines: ErpOrder[]) {
  const { sku, location, quantity } = proposal
  const own = lines.filter((line) => line.sku === sku && line.location === location)
  if (!own.length) return
  const documents = [...new Set(own.map(({ document }) => document))].sort().join(', ')
  const open = own.reduce((sum, line) => sum + line.quantity, 0)
  const differs = open === quantity ? '' : `, of which ${open} are open; ${quantity} were approved`
  const comment = `ERP order ${documents}${differs}`.slice(0, 1000)
  const change = { step: 'markOrdered', set: { flag: null }, comment } as const
  await cds
    .tx(() => transition(proposal, change))
    .catch((error: { code?: unknown }) => {
      if (error.code !== alreadyDecided(proposal).code) throw error
    })
}

/** Flags proposals approved long ago that no order refers to, in sources whose orders are read. */
async function flagMissingOrders(source: number) {
  const read: unknown = await SELECT.one
    .from('restock.Snapshots')
    .columns('generation')
    .where({ source_ID: source, record: 'openOrders' })
  if (!read) return
  const days = settings().orderedWithinDays
  const before = new Date(Date.now() - days * DAY_MS).toISOString()
  await UPDATE.entity('restock.Proposals')
    .set({ flag: NOT_SEEN })
    .where({
      source_ID: source,
      status: { in: statusesBefore('markOrdered') },
      flag: null,
      decidedAt: { '<=': before },
    })
}
