import { exceedsHorizon } from '../inventory/protection.ts'
import { inventoryPosition } from '../inventory/position.ts'
import { netRequirement, orderUpToLevel } from '../inventory/order-up-to.ts'
import { roundToLots } from '../inventory/lots.ts'
import type { DemandQuantiles } from '../inventory/demand.ts'
import type { Calculation, ProposalDriver } from './types.ts'

/** The terms of the calculation that a driver can take away. */
type Terms = Pick<
  Calculation,
  'targetStock' | 'onHand' | 'onOrder' | 'openProposals' | 'moq' | 'lotSize'
>

/**
 * The drivers of a quantity, each proved by doing the sum again without it: a driver is named only
 * where the quantity then is another one.
 */
export function driversOf(demand: DemandQuantiles, calculation: Calculation): ProposalDriver[] {
  if (calculation.quantity === 0) return []
  const without = counterfactuals(demand, calculation)
  const drivers = without
    .filter(([, terms]) => quantityOf({ ...calculation, ...terms }) !== calculation.quantity)
    .map(([driver]) => driver)
  if (exceedsHorizon(calculation.leadTimeDays, calculation.reviewPeriodDays)) {
    drivers.push('beyond_horizon')
  }
  return drivers
}

function counterfactuals(
  demand: DemandQuantiles,
  calculation: Calculation,
): [ProposalDriver, Partial<Terms>][] {
  const { horizonDays, reviewPeriodDays, targetQuantile, p50, onHand } = calculation
  const review = Math.min(horizonDays, reviewPeriodDays)
  return [
    ['low_stock', { onHand: Math.max(onHand, p50) }],
    ['lead_time_demand', { targetStock: orderUpToLevel(demand, review, targetQuantile) }],
    ['safety_stock', { targetStock: p50 }],
    ['open_orders', { onOrder: 0 }],
    ['open_proposals', { openProposals: 0 }],
    ['moq_applied', { moq: 1 }],
    ['pack_rounding', { lotSize: 1 }],
  ]
}

function quantityOf(terms: Terms): number {
  return roundToLots(netRequirement(terms.targetStock, inventoryPosition(terms)), terms)
}
