import type { Risk } from '#cds-models/ProposalsService'
import { riskCurve } from '../../../engine/proposal/index.ts'
import { Refusal } from '../../errors.ts'
import type { ServiceRow } from '../../store/service-row.ts'
import { readPairInputs } from '../inputs/pair-inputs.ts'
import { readOtherSupply } from '../inputs/supply.ts'
import { readProposal } from '../lifecycle/transition.ts'

export interface RiskQuery {
  ID: number
  quantity: number | null
}

/**
 * What no order, the proposed and the asked quantity mean for the pair, by today's numbers.
 * @throws Refusal forecast_not_ready while the pair waits for its forecast, proposal_stale where it
 * has no usable numbers any more
 */
export async function riskOfProposal({ ID, quantity }: RiskQuery): Promise<ServiceRow<Risk>> {
  const proposal = await readProposal(ID)
  const pair = await readPairInputs(proposal.series)
  if (!pair?.isBought) {
    throw new Refusal('proposal_stale', `The pair of prop_${ID} is not bought any more.`)
  }
  if (!pair.input) {
    throw new Refusal('forecast_not_ready', `The demand of prop_${ID} is not forecast now.`)
  }
  const { incoming, outgoing } = await readOtherSupply(proposal)
  const input = pair.input(incoming, outgoing)
  const units = [0, proposal.quantity, ...(quantity === null ? [] : [Number(quantity)])]
  const [none, proposed, asked] = riskCurve(input, units)
  if (!none || !proposed) {
    throw new Refusal('proposal_stale', `Stock or lead time of prop_${ID} is no longer known.`)
  }
  return { ID, asOf: input.asOf, currency: pair.currency, none, proposed, asked: asked ?? null }
}
