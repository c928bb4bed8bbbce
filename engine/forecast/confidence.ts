import type { Confidence, Days } from '../types.ts'
import { coverageAt, type MeasuredCoverage } from './coverage.ts'

/** Days of history at least, times that it holds the horizon, width of the range over its middle, measured coverage. */
const HIGH = { days: 120, windows: 2, width: 1.7, coverage: 0.75 }
const MEDIUM = { days: 90, windows: 2, width: 2.5, coverage: 0.7 }

/**
 * The published rule: `high` where the history is 120 days or more and holds the horizon twice, P90 − P10 is at most
 * 1.7 times the P50, and of past forecasts of its kind 75 % or more held what came; `medium` for 90 days, twice, 2.5
 * times and 70 %, and where nothing was measured; else `low`.
 * @param historyDays since the first sale
 * @param measured of the learnt horizons; null where the past is too short to measure
 */
export function confidenceOf(
  quantiles: { p10: number; p50: number; p90: number },
  historyDays: Days,
  horizon: Days,
  measured: readonly MeasuredCoverage[] | null,
): Confidence {
  const { p10, p50, p90 } = quantiles
  if (p50 < 0.5) return 'low'
  const coverage = measured && coverageAt(measured, horizon, quantiles, historyDays)
  const meets = (rule: typeof HIGH) =>
    historyDays >= daysFor(rule, horizon) &&
    p90 - p10 <= rule.width * p50 &&
    (coverage ?? MEDIUM.coverage) >= rule.coverage
  if (meets(HIGH)) return 'high'
  return meets(MEDIUM) ? 'medium' : 'low'
}

const daysFor = ({ days, windows }: typeof HIGH, horizon: Days) => Math.max(days, windows * horizon)

/** How many more days of history it takes for a forecast not to be `low` for that; 0 for none. */
export const missingDays = (historyDays: Days, horizon: Days): Days =>
  Math.max(0, daysFor(MEDIUM, horizon) - historyDays)
