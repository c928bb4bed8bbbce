import { MAX_HORIZON_DAYS } from '../horizon.ts'
import { stockoutDay } from '../inventory/supply.ts'
import { addDays } from './dates.ts'
import { URGENCIES } from './types.ts'
import type { ProposalInput, Urgency } from './types.ts'
import type { Situation } from './situation.ts'
import type { Units } from '../types.ts'

/**
 * How pressing an order is, and the last day for it. Both look at the day on which the median
 * demand has used up on hand − backorders and the receipts until then: other proposals are no
 * orders yet, so they cannot arrive any sooner.
 *
 * - `stocked_out`: nothing on hand, and demand expected over the horizon
 * - `stockout_before_arrival`: supply runs out before an order of the next order day arrives
 * - `due`: the order must go out before the review after that
 * - `ahead`: the next review is early enough; the order restores the safety stock
 */
export function urgencyOf(
  { asOf, forecast }: Pick<ProposalInput, 'asOf' | 'forecast'>,
  { onHand, backorders, supply, leadTime, orderCalendar, protection, arrivalDay }: Situation,
  p50: Units,
): { urgency: Urgency; orderBy: string } {
  const seen = Math.max(MAX_HORIZON_DAYS, protection)
  const out = stockoutDay(forecast, supply, seen) ?? seen
  const latest = out - leadTime.meanDays
  const orderBy = addDays(asOf, orderCalendar.lastUntil(latest))
  if (onHand - backorders <= 0 && (p50 > 0 || backorders > 0)) {
    return { urgency: 'stocked_out', orderBy: addDays(asOf, orderCalendar.first) }
  }
  if (out < arrivalDay) return { urgency: 'stockout_before_arrival', orderBy }
  return { urgency: latest < orderCalendar.next ? 'due' : 'ahead', orderBy }
}

/** 0 for the most pressing. */
export function urgencyRank(urgency: Urgency): number {
  return URGENCIES.indexOf(urgency)
}
