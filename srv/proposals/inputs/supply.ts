import { isCounted, NOT_COUNTED } from '../lifecycle/missing-orders.ts'
import type { Proposal } from '../to-proposal.ts'
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

/** Reads the supply of a proposal's pair from proposals other than this one. */
export async function readOtherSupply(proposal: Proposal): Promise<OtherSupply> {
  const transfers = await ExistingTransfers.read(proposal.source, proposal.sku)
  const approved = (await readApprovedSupply([proposal.series])).get(proposal.series) ?? 0
  const own = isCounted(proposal) ? proposal.quantity : 0
  const isOther = ({ ID }: Proposal) => ID !== proposal.ID
  return {
    incoming: approved - own + transfers.incoming(proposal, isOther),
    outgoing: transfers.outgoing(proposal, isOther),
  }
}
