import { MAX_HORIZON_DAYS } from '../horizon.ts'
import { type DemandForecast, demandQuantile } from './demand.ts'
import { demandOverLeadTime, type LeadTime } from './lead-time.ts'
import { type DemandMixture, mixtureQuantile } from './mixture.ts'
import { withoutNoise } from './position.ts'
import type { Days, Level, Units } from '../types.ts'

/** The parts of an order-up-to level, whole units; they add up to it. */
export interface OrderUpTo {
  /** F⁻¹(q; H): the quantile q of demand over the protection interval H, at most 90 days of it. */
  targetStock: Units
  /** What the days after the 90th add. */
  beyondHorizon: Units
  /** What an uncertain lead time adds; 0 at the median, which holds no safety. */
  leadTimeSafety: Units
}

/**
 * Order-up-to level S = F⁻¹(q; L + R): the quantile q of demand until the next order arrives.
 *
 * Source: Silver, Pyke, Thomas, Inventory and Production Management in Supply Chains, 4th ed., ch. 6, the (R,S) system.
 * @param days lead time and review period, the lead time as its mean
 */
export function orderUpTo(
  demand: DemandForecast,
  { leadTime, reviewDays, days }: { leadTime: LeadTime; reviewDays: Days; days: Days },
  level: Level,
): OrderUpTo {
  const targetStock = demandQuantile(demand, Math.min(days, MAX_HORIZON_DAYS), level)
  const whole = days <= MAX_HORIZON_DAYS ? targetStock : demandQuantile(demand, days, level)
  const isUncertain = leadTime.deviationDays > 0 && level > 0.5
  const safe = isUncertain
    ? safeLevel(demandOverLeadTime(demand, leadTime, reviewDays), level)
    : whole
  return {
    targetStock,
    beyondHorizon: whole - targetStock,
    leadTimeSafety: Math.max(0, safe - whole),
  }
}

const safeLevel = (mixture: DemandMixture, level: Level): Units =>
  Math.ceil(mixtureQuantile(mixture, level) - 1e-2)

/** Order-up-to levels S for several levels, as {@link orderUpTo} has them: the mixture is made once. */
export function orderUpToLevels(
  demand: DemandForecast,
  { untilNext, days }: { untilNext: DemandMixture; days: Days },
  levels: readonly Level[],
): Units[] {
  const isUncertain = untilNext.length > 1
  return levels.map((level) => {
    const whole = demandQuantile(demand, days, level)
    return isUncertain && level > 0.5 ? Math.max(whole, safeLevel(untilNext, level)) : whole
  })
}

/** Net requirement: N = max(0, S − IP) (units), what the position lacks to the order-up-to level. */
export function netRequirement(level: Units, position: Units): Units {
  return Math.max(0, withoutNoise(level - position))
}
