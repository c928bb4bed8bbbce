import { bestPriceBreak, type Prices, unitCostAt } from '../inventory/price-breaks.ts'
import { MAX_HORIZON_DAYS } from '../horizon.ts'
import { supplyBefore } from '../inventory/supply.ts'
import { wholeTarget } from './sum.ts'
import type { Calculation } from './calculation.ts'
import type { CostRates } from '../inventory/service-target.ts'
import type { ProposalInput } from './input.ts'
import type { Situation } from './situation.ts'
import type { Units } from '../types.ts'

const NO_BREAKS: Prices['breaks'] = []

export const pricesOf = ({ unitCost, priceBreaks }: ProposalInput['planning']): Prices => ({
  unitCost: unitCost ?? null,
  breaks: priceBreaks ?? NO_BREAKS,
})

/** Of one unit in an order of so many; undefined where nobody asked for costs. */
export function unitCostIn(planning: ProposalInput['planning'], quantity: Units) {
  const { unitCost, priceBreaks } = planning
  return priceBreaks?.length ? unitCostAt(quantity, pricesOf(planning)) : unitCost
}

/** The costs that a proposal is worth by; null where none are known. */
export const costsOf = ({ policy: { costs, target } }: ProposalInput): CostRates | null =>
  costs ?? ('quantile' in target ? null : target)

/** The order raised to the price break that it is worth; old data raise nothing. */
export function raiseToPriceBreak(
  input: ProposalInput,
  situation: Situation,
  calculation: Calculation,
): Calculation {
  const costs = costsOf(input)
  if (!input.planning.priceBreaks?.length || !costs || input.staleSince) return calculation
  const { quantity, limit = Infinity, coveredLater = 0 } = calculation
  const supply = supplyBefore(situation.supply, Infinity) + situation.openProposals + quantity
  const priceBreak = bestPriceBreak(input.forecast, {
    quantity,
    aboveTarget: supply - wholeTarget(calculation) - coveredLater,
    protectionDays: situation.protection,
    lots: calculation,
    limit,
    prices: pricesOf(input.planning),
    carryingRate: costs.carryingRate,
    coverDays: input.policy.priceBreakCoverDays ?? MAX_HORIZON_DAYS,
  })
  if (!priceBreak) return calculation
  return {
    ...calculation,
    quantity: quantity + priceBreak.units,
    priceBreak,
    drivers: [...calculation.drivers, 'price_break'],
  }
}
