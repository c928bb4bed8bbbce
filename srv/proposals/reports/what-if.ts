import type { WhatIf } from '#cds-models/ProposalsService'
import { OverrideBook, toEpochDay } from '../../../engine/index.ts'
import { type ProposalInput, propose } from '../../../engine/proposal/index.ts'
import { Refusal } from '../../errors.ts'
import type { ServiceRow } from '../../store/service-row.ts'
import { valueOf } from '../decisions/decisions.ts'
import { readPairInputs } from '../inputs/pair-inputs.ts'
import { readOtherSupply } from '../inputs/supply.ts'
import { readProposal } from '../lifecycle/transition.ts'
import { unitCostOf } from '../unit-cost.ts'

export interface WhatIfQuery {
  ID: number
  /** Null: as it is. */
  leadTimeDays?: number | null
  targetQuantile?: number | null
  /** By which demand would be more than the forecast, from today on, for `demandDays`. */
  demandPercent?: number | null
  demandDays?: number | null
}

/**
 * What would be proposed for the pair with another lead time, service target or demand, by today's numbers.
 * @throws Refusal forecast_not_ready while the pair waits for its forecast, proposal_stale where it has no usable numbers any more
 */
export async function whatIfOfProposal(query: WhatIfQuery): Promise<ServiceRow<WhatIf>> {
  const { ID } = query
  const proposal = await readProposal(ID)
  const pair = await readPairInputs(proposal.series, promotionOf(query))
  if (!pair?.isBought)
    throw new Refusal('proposal_stale', `The pair of prop_${ID} is not bought any more.`)
  if (!pair.input)
    throw new Refusal('forecast_not_ready', `The demand of prop_${ID} is not forecast now.`)
  const { incoming, outgoing } = await readOtherSupply(proposal)
  const result = propose(changed(pair.input(incoming, outgoing), query))
  if (result.kind === 'blocked')
    throw new Refusal('proposal_stale', `Stock or lead time of prop_${ID} is no longer known.`)
  const { calculation } = result
  const quantity = result.kind === 'order' ? result.quantity : 0
  const unitCost = unitCostOf(pair.unitCost, calculation, quantity)
  const { leadTimeDays, targetQuantile, p50, targetStock, netRequirement } = calculation
  return {
    ...{ ID, quantity, leadTimeDays, targetQuantile, p50, targetStock, netRequirement },
    orderBy: result.kind === 'order' ? result.orderBy : null,
    urgency: result.kind === 'order' ? result.urgency : null,
    value: valueOf(unitCost, quantity),
    currency: pair.currency,
  }
}

function changed(input: ProposalInput, { leadTimeDays, targetQuantile }: WhatIfQuery) {
  return {
    ...input,
    planning: {
      ...input.planning,
      ...(leadTimeDays != null && { leadTimeDays, measuredLeadTime: null }),
    },
    policy: {
      ...input.policy,
      ...(targetQuantile != null && { target: { quantile: targetQuantile } }),
    },
  }
}

/** As a planner would say it of the pair alone, over whatever planners have said. */
function promotionOf({ demandPercent, demandDays }: WhatIfQuery) {
  if (!demandPercent) return undefined
  return (known: OverrideBook, { sku, location, asOf }: Subject) => {
    const from = toEpochDay(asOf)
    const to = from + (demandDays ?? 90) - 1
    const said = { ID: Number.MAX_SAFE_INTEGER, from, to, percent: demandPercent, units: null }
    return new OverrideBook([...known.all, { ...said, reason: '', sku, location, group: '' }])
  }
}

interface Subject {
  sku: string
  location: string
  asOf: string
}
