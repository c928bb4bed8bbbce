import cds from '@sap/cds'
import type { Proposal } from '../to-proposal.ts'
import { Transfers } from '../transfers/existing.ts'

const { SELECT } = cds.ql

/** Units approved and not yet seen as an order of the ERP, by series. */
export async function approvedSupply(series: number[]): Promise<Map<number, number>> {
  const rows = (await SELECT.from('restock.Proposals')
    .columns('series', 'sum(quantity) as units')
    .where({ series: { in: series }, status: 'approved' })
    .groupBy('series')) as { series: number; units: unknown }[]
  return new Map(rows.map(({ series, units }) => [series, Number(units)]))
}

/** What a pair has coming by our other proposals, and what it gives away by them. */
export interface OwnSupply {
  coming: number
  owed: number
}

/** That of a proposal's pair without the proposal itself. */
export async function supplyBeside(proposal: Proposal): Promise<OwnSupply> {
  const transfers = await Transfers.read(proposal.source, proposal.sku)
  const approved = (await approvedSupply([proposal.series])).get(proposal.series) ?? 0
  const own = proposal.status === 'approved' ? proposal.quantity : 0
  const isOther = ({ ID }: Proposal) => ID !== proposal.ID
  return {
    coming: approved - own + transfers.incoming(proposal, isOther),
    owed: transfers.outgoing(proposal, isOther),
  }
}
