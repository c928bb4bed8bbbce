import cds from '@sap/cds'
import { type ProposalInput, propose, redistribute } from '../../../engine/proposal/index.ts'
import { initialStatus } from '../../store/proposal-flow.ts'
import { inputsOfSeries } from '../inputs/pair-inputs.ts'
import { supplyBeside } from '../inputs/supply.ts'
import { Series } from '../../store/entities.ts'
import type { Proposal } from '../to-proposal.ts'

const { SELECT } = cds.ql

/** How much of a transfer its giver can spare and its receiver needs by today's numbers. */
export async function movableNow(proposal: Proposal, receiver: ProposalInput): Promise<number> {
  const { source, sku, location, fromLocation } = proposal
  const row = await SELECT.one
    .from(Series)
    .columns('ID')
    .where({ source_ID: source, sku, location: fromLocation })
  const pair = row && (await inputsOfSeries(row.ID))
  if (!row || !pair?.input) return 0
  const there = {
    ...proposal,
    series: Number(row.ID),
    location: fromLocation!,
    status: initialStatus(),
  }
  const { coming, owed } = await supplyBeside(there)
  const giver = pair.input(coming, owed)
  const seen = [
    { location: fromLocation!, input: giver, result: propose(giver) },
    { location, input: receiver, result: propose(receiver) },
  ]
  const anything = { surplusDays: 0, minimumQuantity: 1 }
  const found = redistribute(seen, anything).find(({ to }) => to === location)
  return found?.quantity ?? 0
}
