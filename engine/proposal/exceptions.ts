import { smallestOrder } from '../inventory/limits.ts'
import { MAX_HORIZON_DAYS } from '../horizon.ts'
import { plain } from './plain.ts'
import type { Calculation, ExceptionCode, ProposalException } from './calculation.ts'

/** What a buyer should know beside the quantity. */
export function exceptionsOf(
  calculation: Calculation,
  unitCost: number | null | undefined,
): ProposalException[] {
  const { leadTimeDays, netRequirement, onOrderLater = 0, quantity, staleSince } = calculation
  const { reviewPeriodDays, closedDays = 0 } = calculation
  const interval = leadTimeDays + reviewPeriodDays + closedDays
  const found: [boolean, ExceptionCode, () => string][] = [
    [
      netRequirement > 0 && quantity === 0,
      'capped_below_moq',
      () =>
        `${plain(netRequirement)} are missing, but the limits leave ${plain(Math.max(0, calculation.limit ?? 0))}, less than the minimum order quantity of ${smallestOrder(calculation)}.`,
    ],
    [
      quantity > 0 && quantity < netRequirement,
      'capped_below_need',
      () =>
        `${plain(netRequirement)} are missing; within the limits ${plain(quantity)} can be ordered.`,
    ],
    [
      interval > MAX_HORIZON_DAYS,
      'beyond_horizon',
      () =>
        `Lead time${closedDays ? ', closed days' : ''} and review period are ${interval} days; what comes after ${MAX_HORIZON_DAYS} is extrapolated.`,
    ],
    [
      leadTimeDays > MAX_HORIZON_DAYS,
      'long_lead_time',
      () => `The lead time of ${leadTimeDays} days is longer than the forecast.`,
    ],
    [
      onOrderLater > 0,
      'late_receipts',
      () =>
        calculation.coveredLater
          ? `${plain(onOrderLater)} on order come only after the shelf would be empty and do not count.`
          : `${plain(onOrderLater)} on order are due only after ${interval} days and do not count.`,
    ],
    [
      staleSince !== undefined,
      'stale_data',
      () => `Demand or stock is of ${staleSince}, too old to order by.`,
    ],
    [
      unitCost === null || unitCost === 0,
      'no_cost',
      () =>
        unitCost === 0
          ? 'The source names a unit cost of 0, so the order has no value.'
          : calculation.prices?.length
            ? 'The source names no unit cost for so small an order, so it has no value.'
            : 'The source names no unit cost, so the order has no value.',
    ],
  ]
  return found.flatMap(([holds, code, messageOf]) =>
    holds ? [{ code, message: messageOf() }] : [],
  )
}
