import { type ProposalInput, propose, redistribute } from '../../../../engine/proposal/index.ts'
import { initialStatus } from '../stored/flow.ts'
import { readPairInputs } from './pair-inputs.ts'
import { readOtherSupply } from './supply.ts'
import { Series } from '../../../base/database/entities.ts'
import type { Proposal } from '../to-proposal.ts'

/** How many units the giving location has to spare and the receiving one needs, by today's numbers. */
export async function transferableQuantity(
  proposal: Proposal,
  receiver: ProposalInput,
): Promise<number> {
  const { source, sku, location, fromLocation } = proposal
  const row = await SELECT.one
    .from(Series)
    .columns('ID')
    .where({ source_ID: source, sku, location: fromLocation })
  const pair = row && (await readPairInputs(row.ID))
  if (!row || !pair?.input) return 0
  const there = {
    ...proposal,
    series: Number(row.ID),
    location: fromLocation!,
    status: initialStatus(),
  }
  const { incoming, outgoing } = await readOtherSupply(there)
  const giver = pair.input(incoming, outgoing)
  const seen = [
    { location: fromLocation!, input: giver, result: propose(giver) },
    { location, input: receiver, result: propose(receiver) },
  ]
  const anything = { surplusDays: 0, minimumQuantity: 1 }
  const found = redistribute(seen, anything).find(({ to }) => to === location)
  return found?.quantity ?? 0
}
