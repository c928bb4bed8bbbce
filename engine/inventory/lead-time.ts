import { type DemandForecast, demandOver } from './demand.ts'
import type { DemandMixture } from './mixture.ts'
import type { Days } from '../types.ts'

export interface LeadTime {
  meanDays: Days
  /** Standard deviation; 0 where it is always kept. */
  deviationDays: Days
}

/** Standard deviations at which a lead time is looked at, −3 to 3. */
const POINTS = Array.from({ length: 13 }, (_, i) => (i - 6) / 2)
const DENSITIES = POINTS.map((z) => Math.exp((-z * z) / 2))
const TOTAL = DENSITIES.reduce((sum, density) => sum + density, 0)

/**
 * Demand over a lead time and `furtherDays` after it: a mixture over 13 lead times L + z·σL that
 * weigh as the normal density does; one below zero counts as no lead time.
 *
 * For normal demand its variance is the textbook's σ² = (L + R)·σd² + d²·σL², to 1 %.
 * Source: Silver, Pyke, Thomas, Inventory and Production Management in Supply Chains, 4th ed.,
 * ch. 6, variable lead times.
 */
export function demandOverLeadTime(
  demand: DemandForecast,
  { meanDays, deviationDays }: LeadTime,
  furtherDays: Days,
): DemandMixture {
  if (!(deviationDays > 0)) {
    return [{ weight: 1, demand: demandOver(demand, meanDays + furtherDays) }]
  }
  return POINTS.map((z, i) => ({
    weight: DENSITIES[i]! / TOTAL,
    demand: demandOver(demand, Math.max(0, meanDays + z * deviationDays) + furtherDays),
  }))
}
