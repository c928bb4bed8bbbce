import { MAX_HORIZON_DAYS } from '../horizon.ts'
import type { Days, Level, Quantiles, Units } from '../types.ts'

/**
 * What inventory arithmetic needs to know of a forecast: quantiles of the TOTAL demand of the next
 * `horizonDays` days (1..90), never falling as the horizon or the level grows.
 */
export interface DemandQuantiles {
  /** Whole units, p10 ≤ p50 ≤ p90. */
  at(horizonDays: Days): Quantiles
  quantile(horizonDays: Days, level: Level): Units
}

/**
 * Demand of the next `days` days, any number ≥ 0: straight between two whole days, and after the
 * 90th day D(t) = D₅₀·t/90 ± (D₉₀ − D₅₀)·√(t/90): the median's rate goes on, and the width grows
 * with the root of time, as it does where the days err independently of each other.
 *
 * Source: Silver, Pyke, Thomas, Inventory and Production Management in Supply Chains, 4th ed.,
 * ch. 4, the standard deviation of errors over a lead time, c = 0.5.
 */
export function demandOver(demand: DemandQuantiles, days: Days): Quantiles {
  if (days <= 0) return { p10: 0, p50: 0, p90: 0 }
  if (days > MAX_HORIZON_DAYS) return extrapolated(demand.at(MAX_HORIZON_DAYS), days)
  const whole = Math.floor(days)
  const share = days - whole
  if (share === 0) return demand.at(whole)
  const [below, above] = [demandOver(demand, whole), demand.at(whole + 1)]
  const between = (from: Units, to: Units) => from + (to - from) * share
  return {
    p10: between(below.p10, above.p10),
    p50: between(below.p50, above.p50),
    p90: between(below.p90, above.p90),
  }
}

function extrapolated({ p10, p50, p90 }: Quantiles, days: Days): Quantiles {
  const times = days / MAX_HORIZON_DAYS
  const median = p50 * times
  return {
    p10: Math.max(0, median - (p50 - p10) * Math.sqrt(times)),
    p50: median,
    p90: median + (p90 - p50) * Math.sqrt(times),
  }
}

/** Median demand of the next `days` days, any number. */
export function medianDemand(demand: DemandQuantiles, days: Days): Units {
  return demandOver(demand, days).p50
}
