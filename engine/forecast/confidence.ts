import type { Confidence, Days } from '../types.ts'

/** Days of history at least, times that it holds the horizon, and width of the range over its middle. */
const HIGH = { days: 120, windows: 2, width: 1.7 }
const MEDIUM = { days: 90, windows: 2, width: 2.5 }

/**
 * The published rule: `high` where the history is 120 days or more and holds the horizon twice, and
 * P90 − P10 is at most 1.7 times the P50; `medium` for 90 days, twice and 2.5 times; else `low`.
 * @param historyDays since the first sale
 */
export function confidenceOf(
  { p10, p50, p90 }: { p10: number; p50: number; p90: number },
  historyDays: Days,
  horizon: Days,
): Confidence {
  const meets = ({ days, windows, width }: typeof HIGH) =>
    historyDays >= Math.max(days, windows * horizon) && p90 - p10 <= width * p50
  if (p50 < 0.5) return 'low'
  if (meets(HIGH)) return 'high'
  return meets(MEDIUM) ? 'medium' : 'low'
}
