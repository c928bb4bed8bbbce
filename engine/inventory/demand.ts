import type { Days, Level, Units } from '../types.ts'

/**
 * What inventory arithmetic needs to know of a forecast: quantiles of the TOTAL demand of the next
 * `horizonDays` days (1..90), never falling as the horizon or the level grows.
 */
export interface DemandQuantiles {
  /** Whole units, p10 ≤ p50 ≤ p90. */
  at(horizonDays: Days): { p10: Units; p50: Units; p90: Units }
  quantile(horizonDays: Days, level: Level): Units
}

/** The longest horizon that is forecast. */
export const MAX_HORIZON_DAYS: Days = 90

/** Median demand of the next `days` days: 0 for no days, cut to the longest horizon. */
export function medianDemand(demand: DemandQuantiles, days: Days): Units {
  return days <= 0 ? 0 : demand.at(Math.min(days, MAX_HORIZON_DAYS)).p50
}
