import { MAX_HORIZON_DAYS } from '../horizon.ts'
import type { Days } from '../types.ts'

/**
 * Protection interval: H = L + R (days), the time that one order must last: it arrives after the
 * lead time L, and the next one is decided only a review period R later. At least 1.
 *
 * Source: Silver, Pyke, Thomas, Inventory and Production Management in Supply Chains, 4th ed.,
 * ch. 6, the (R,S) system.
 */
export function protectionDays(leadTimeDays: Days, reviewPeriodDays: Days): Days {
  return Math.max(1, leadTimeDays + reviewPeriodDays)
}

/** The part of the interval that is forecast; `beyondHorizon` adds the rest. */
export function forecastDays(protection: Days): Days {
  return Math.min(protection, MAX_HORIZON_DAYS)
}
