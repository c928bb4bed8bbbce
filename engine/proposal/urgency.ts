import { daysUntilReorder, reorderPoint } from '../inventory/reorder-point.ts'
import { withoutNoise } from '../inventory/position.ts'
import { addDays } from './dates.ts'
import { URGENCIES } from './types.ts'
import type { DemandQuantiles } from '../inventory/demand.ts'
import type { Calculation, Urgency } from './types.ts'

/**
 * How pressing an order is, and the last day for it. Both are judged by the median demand against
 * on hand + on order: other proposals are no orders yet, so they cannot arrive any sooner.
 *
 * - `stocked_out`: nothing on hand, and demand expected over the horizon
 * - `stockout_before_arrival`: supply is expected to run out within the lead time
 * - `due`: the order must go out within this review period
 * - `ahead`: the next review is early enough; the order restores the safety stock
 */
export function urgencyOf(
  demand: DemandQuantiles,
  calculation: Calculation,
  asOf: string,
): { urgency: Urgency; orderBy: string } {
  const { leadTimeDays, onHand, p50, reviewPeriodDays } = calculation
  const supply = withoutNoise(onHand + calculation.onOrder)
  const days = daysUntilReorder(demand, leadTimeDays, supply)
  const orderBy = addDays(asOf, days)
  if (onHand <= 0 && p50 > 0) return { urgency: 'stocked_out', orderBy: asOf }
  if (reorderPoint(demand, leadTimeDays) > supply) {
    return { urgency: 'stockout_before_arrival', orderBy }
  }
  return { urgency: days < reviewPeriodDays ? 'due' : 'ahead', orderBy }
}

/** 0 for the most pressing. */
export function urgencyRank(urgency: Urgency): number {
  return URGENCIES.indexOf(urgency)
}
