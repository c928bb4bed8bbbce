import { openStatuses } from '../../store/proposal-flow.ts'
import { isCounted, NOT_COUNTED } from '../lifecycle/missing-orders.ts'
import { type Proposal, type ProposalRow, toProposal } from '../to-proposal.ts'

/** The proposals that a newer calculation of a pair has to take into account. */
export interface PairProposals {
  open: Proposal[]
  /** Open transfers to the pair. */
  transfers: Proposal[]
  lastRejected: Proposal | undefined
  /** Units approved, transfers included, and not yet seen as an order of the ERP. */
  approved: number
  /** Approved, but no supply any more, since no order of the ERP was found in time. */
  unmatched: Proposal[]
  /** Day of the data that the pair's last purchase was made from; undefined where it had none. */
  lastOrder: string | undefined
}

const NOTHING: PairProposals = {
  open: [],
  transfers: [],
  lastRejected: undefined,
  approved: 0,
  unmatched: [],
  lastOrder: undefined,
}

/** Reads the open, approved and rejected proposals of these pairs, by series. */
export async function readPairProposals(
  series: number[],
): Promise<(series: number) => PairProposals> {
  const rows = (await SELECT.from('restock.Proposals')
    .where({
      series: { in: series },
      status: { in: [...openStatuses(), 'rejected', 'approved'] },
      lapsed: null,
    })
    .orderBy('ID')) as ProposalRow[]
  const known = new Map<number, PairProposals>()
  for (const proposal of rows.map(toProposal)) {
    const of = known.get(proposal.series) ?? { ...NOTHING, open: [], transfers: [], unmatched: [] }
    known.set(proposal.series, of)
    const isTransfer = proposal.kind === 'transfer'
    if (isCounted(proposal)) of.approved += proposal.quantity
    else if (proposal.status === 'approved') of.unmatched.push(proposal)
    else if (proposal.status === 'rejected')
      of.lastRejected = isTransfer ? of.lastRejected : proposal
    else if (isTransfer) of.transfers.push(proposal)
    else of.open.push(proposal)
  }
  const lastOrders = await readLastOrders(series)
  return (of) => ({ ...(known.get(of) ?? NOTHING), lastOrder: lastOrders.get(of) })
}

async function readLastOrders(series: number[]): Promise<Map<number, string>> {
  const rows = (await SELECT.from('restock.Proposals')
    .columns('series', 'max(asOf) as asOf')
    .where({
      series: { in: series },
      status: { in: ['approved', 'ordered'] },
      kind: 'purchase',
      flag: { '!=': NOT_COUNTED },
    })
    .groupBy('series')) as { series: number; asOf: string | null }[]
  return new Map(rows.flatMap(({ series, asOf }) => (asOf ? [[series, asOf]] : [])))
}
