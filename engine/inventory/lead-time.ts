import { demandOver } from './demand.ts'
import type { DemandMixture } from './distribution.ts'
import { mixtureQuantile } from './distribution.ts'
import type { DemandQuantiles } from './demand.ts'
import type { Days, Level, Units } from '../types.ts'

export interface LeadTime {
  meanDays: Days
  /** Standard deviation; 0 where it is always kept. */
  deviationDays: Days
}

/** Standard deviations at which a lead time is looked at, −3 to 3. */
const POINTS = Array.from({ length: 25 }, (_, i) => (i - 12) / 4)
const DENSITIES = POINTS.map((z) => Math.exp((-z * z) / 2))
const TOTAL = DENSITIES.reduce((sum, density) => sum + density, 0)

/**
 * Demand over a lead time and `furtherDays` after it: a mixture over 25 lead times L + z·σL that
 * weigh as the normal density does; one below zero counts as no lead time.
 *
 * For normal demand its variance is the textbook's σ² = (L + R)·σd² + d²·σL², to 1 %.
 * Source: Silver, Pyke, Thomas, Inventory and Production Management in Supply Chains, 4th ed.,
 * ch. 6, variable lead times.
 */
export function demandOverLeadTime(
  demand: DemandQuantiles,
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

/**
 * What an uncertain lead time adds to a target stock: max(0, ⌈F⁻¹(q)⌉ − S) (units), F the demand
 * over the uncertain interval. 0 at the median, which holds no safety.
 */
export function leadTimeSafety(
  demand: DemandQuantiles,
  leadTime: LeadTime,
  reviewPeriodDays: Days,
  { level, targetStock }: { level: Level; targetStock: Units },
): Units {
  if (!(leadTime.deviationDays > 0) || level <= 0.5) return 0
  const mixture = demandOverLeadTime(demand, leadTime, reviewPeriodDays)
  return Math.max(0, Math.ceil(mixtureQuantile(mixture, level) - 1e-3) - targetStock)
}
