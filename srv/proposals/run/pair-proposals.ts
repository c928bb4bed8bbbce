import cds from '@sap/cds'
import { openStatuses } from '../../store/proposal-flow.ts'
import { type Proposal, type ProposalRow, toProposal } from '../to-proposal.ts'

const { SELECT } = cds.ql

/** What a newer calculation of a pair must reckon with. */
export interface PairProposals {
  open: Proposal[]
  /** Open moves to the pair. */
  moves: Proposal[]
  lastRejected: Proposal | undefined
  /** Units approved, moves included, and not yet seen as an order of the ERP. */
  approved: number
}

const NOTHING: PairProposals = { open: [], moves: [], lastRejected: undefined, approved: 0 }

/** The proposals of these pairs that still count, by series. */
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
    const of = known.get(proposal.series) ?? { ...NOTHING, open: [], moves: [] }
    known.set(proposal.series, of)
    const isMove = proposal.kind === 'transfer'
    if (proposal.status === 'approved') of.approved += proposal.quantity
    else if (proposal.status === 'rejected') of.lastRejected = isMove ? of.lastRejected : proposal
    else if (isMove) of.moves.push(proposal)
    else of.open.push(proposal)
  }
  return (series) => known.get(series) ?? NOTHING
}
