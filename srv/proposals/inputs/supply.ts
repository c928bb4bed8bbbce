import { preparedQuery } from '../../cap/prepared.ts'
import { isCounted, NOT_COUNTED } from '../lifecycle/missing-orders.ts'
import { type Proposal, type ProposalRow, toProposal } from '../to-proposal.ts'
import { ExistingTransfers } from '../transfers/existing-transfers.ts'

/** Null as well, and in CQL null differs from every value. */
export const COUNTED = { '!=': NOT_COUNTED }

/** Units approved and not yet seen as an order of the ERP, by series. */
export async function readApprovedSupply(series: number[]): Promise<Map<number, number>> {
  const rows = (await SELECT.from('restock.Proposals')
    .columns('series', 'sum(quantity) as units')
    .where({ series: { in: series }, status: 'approved', flag: COUNTED })
    .groupBy('series')) as { series: number; units: unknown }[]
  return new Map(rows.map(({ series, units }) => [series, Number(units)]))
}

/** Units that other proposals bring to a pair, and units that they take from it. */
export interface OtherSupply {
  incoming: number
  outgoing: number
}

/** Few rows: found by series, without a condition on their status that could use another index. */
async function readTransfersAndApproved({ source, sku, series }: Proposal): Promise<Proposal[]> {
  return (await OF_SKU.read<ProposalRow>(source, sku, series)).map(toProposal)
}

const OF_SKU = preparedQuery((source_ID: number, sku: string, series: number) =>
  SELECT.from('restock.Proposals')
    .where({
      series: { in: SELECT.from('restock.Series').columns('ID').where({ source_ID, sku }) },
      and: { kind: 'transfer', or: { series, status: 'approved' } },
    } as never)
    .orderBy('ID'),
)

/** Reads the supply of a proposal's pair from proposals other than this one. */
export async function readOtherSupply(proposal: Proposal): Promise<OtherSupply> {
  const proposals = await readTransfersAndApproved(proposal)
  const transfers = new ExistingTransfers(proposals.filter(({ kind }) => kind === 'transfer'))
  const approved = proposals
    .filter((each) => each.series === proposal.series && isCounted(each))
    .reduce((units, { quantity }) => units + quantity, 0)
  const own = isCounted(proposal) ? proposal.quantity : 0
  const isOther = ({ ID }: Proposal) => ID !== proposal.ID
  return {
    incoming: approved - own + transfers.incoming(proposal, isOther),
    outgoing: transfers.outgoing(proposal, isOther),
  }
}
