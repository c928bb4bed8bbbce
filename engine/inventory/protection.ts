import { MAX_HORIZON_DAYS } from './demand.ts'
import type { Days } from '../types.ts'

/**
 * Protection interval: H = L + R (days), the time that one order must last: it arrives after the
 * lead time L, and the next one is decided only a review period R later. At most 90 days, the
 * longest horizon that is forecast; at least 1.
 *
 * Source: Silver, Pyke, Thomas, Inventory and Production Management in Supply Chains, 4th ed.,
 * ch. 6, the (R,S) system.
 */
export function protectionDays(leadTimeDays: Days, reviewPeriodDays: Days): Days {
  return Math.max(1, Math.min(leadTimeDays + reviewPeriodDays, MAX_HORIZON_DAYS))
}

/** Whether lead time and review period together reach beyond what is forecast. */
export function exceedsHorizon(leadTimeDays: Days, reviewPeriodDays: Days): boolean {
  return leadTimeDays + reviewPeriodDays > MAX_HORIZON_DAYS
}
