import type { Confidence, Days } from '../types.ts'

/** How many times the history must hold the horizon, and how wide the range may be over its middle. */
const HIGH = { windows: 8, width: 1 }
const MEDIUM = { windows: 3, width: 2 }

/**
 * The published rule: `high` where the history holds the horizon at least 8 times and P90 − P10 is at
 * most the P50; `medium` for 3 times and twice the P50; else `low`.
 * @param historyDays since the first sale
 */
export function confidenceOf(
  { p10, p50, p90 }: { p10: number; p50: number; p90: number },
  historyDays: Days,
  horizon: Days,
): Confidence {
  const meets = ({ windows, width }: typeof HIGH) =>
    historyDays >= windows * horizon && p90 - p10 <= width * p50
  if (p50 === 0) return 'low'
  if (meets(HIGH)) return 'high'
  return meets(MEDIUM) ? 'medium' : 'low'
}
