import { HIGHEST_TARGET, LOWEST_TARGET } from './target-quantile.ts'
import { withoutNoise } from './position.ts'
import type { DemandQuantiles } from './demand.ts'
import type { Days, Level, Units } from '../types.ts'

/**
 * Order-up-to level: S = F⁻¹(q; H) (whole units), the quantile q of demand over the protection
 * interval H. It lies between the P50 and the P90 that are shown beside it, and is one of them at
 * q = 0.5 and q = 0.9.
 *
 * Source: Chopra, Meindl, Supply Chain Management, 5th ed., ch. 12, periodic review.
 */
export function orderUpToLevel(demand: DemandQuantiles, horizonDays: Days, level: Level): Units {
  const { p50, p90 } = demand.at(horizonDays)
  if (level <= LOWEST_TARGET) return p50
  if (level >= HIGHEST_TARGET) return p90
  const units = Math.ceil(withoutNoise(demand.quantile(horizonDays, level)))
  return Math.min(p90, Math.max(p50, units))
}

/** Net requirement: N = max(0, S − IP) (units), what the position lacks to the order-up-to level. */
export function netRequirement(orderUpTo: Units, position: Units): Units {
  return Math.max(0, withoutNoise(orderUpTo - position))
}
