import { MAX_HORIZON_DAYS } from '../horizon.ts'
import type { Days, Quantiles, Units } from '../types.ts'

/**
 * What the days after the forecast's last add to the target stock:
 * B = ⌈D₅₀/90·(L + R − 90) + SS·(√((L + R)/90) − 1)⌉ (whole units), D₅₀ and SS = S − D₅₀ at 90 days:
 * the median's daily rate goes on, and the safety stock grows with the root of time. 0 up to 90 days.
 *
 * Source: Silver, Pyke, Thomas, Inventory and Production Management in Supply Chains, 4th ed.,
 * ch. 4, the standard deviation of errors over a lead time, c = 0.5.
 */
export function beyondHorizon(
  { p50 }: Pick<Quantiles, 'p50'>,
  targetStock: Units,
  intervalDays: Days,
): Units {
  const further = intervalDays - MAX_HORIZON_DAYS
  if (further <= 0) return 0
  const median = (p50 * further) / MAX_HORIZON_DAYS
  const safety = (targetStock - p50) * (Math.sqrt(intervalDays / MAX_HORIZON_DAYS) - 1)
  return Math.ceil(median + safety - 1e-6)
}
