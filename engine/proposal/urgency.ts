import { demandQuantile, type DemandForecast } from '../inventory/demand.ts'
import { MAX_HORIZON_DAYS } from '../horizon.ts'
import { firstDay, stockoutDay, supplyBefore, withArrival } from '../inventory/supply.ts'
import { addDays } from './dates.ts'
import type { Calculation } from './calculation.ts'
import type { ProposalInput } from './input.ts'
import type { Situation } from './situation.ts'
import type { Days, Level } from '../types.ts'

/** Most pressing first; the index is the rank. */
export const URGENCIES = ['stocked_out', 'stockout_before_arrival', 'due', 'ahead'] as const
export type Urgency = (typeof URGENCIES)[number]

/**
 * How pressing an order is, and the last day for it. Other proposals are no orders yet, so they are no supply here.
 *
 * - `stocked_out`: nothing on hand that is free
 * - `stockout_before_arrival`: median demand uses up the supply before an order of the next order day arrives
 * - `due`: the order must go out before the next review, so that the service target is kept
 * - `ahead`: the next review is early enough, or the data are too old to order by: then no day is told
 */
export function urgencyOf(
  { asOf, forecast }: Pick<ProposalInput, 'asOf' | 'forecast'>,
  situation: Situation,
  { targetQuantile, staleSince }: Pick<Calculation, 'targetQuantile' | 'staleSince'>,
): { urgency: Urgency; orderBy: string | null } {
  if (staleSince) return { urgency: 'ahead', orderBy: null }
  const { free, supply, orderCalendar, protection, arrivalDay } = situation
  const latest = latestOrderDay(forecast, situation, targetQuantile)
  const orderBy = addDays(asOf, orderCalendar.lastUntil(latest))
  if (free <= 0) {
    return { urgency: 'stocked_out', orderBy: addDays(asOf, orderCalendar.first) }
  }
  const out = stockoutDay(forecast, supply, Math.max(MAX_HORIZON_DAYS, protection))
  if (out !== null && out < arrivalDay) return { urgency: 'stockout_before_arrival', orderBy }
  return { urgency: latest < orderCalendar.next ? 'due' : 'ahead', orderBy }
}

/**
 * The last day, counted from today, on which an order still comes in time: from the lead time on, supply holds out
 * against demand at the service target until that order arrives. Below 0 where it is too late already; the end of the
 * search where nothing presses.
 */
export function latestOrderDay(
  forecast: DemandForecast,
  { supply, leadTime, protection, arrivalOf }: Situation,
  level: Level,
): Days {
  const inTimeFor = (day: Days) => {
    let latest = day - leadTime.meanDays
    while (latest >= 0 && arrivalOf(latest) > day) latest--
    return latest
  }
  const end = Math.max(MAX_HORIZON_DAYS, protection)
  const isShort = (day: Days) => demandQuantile(forecast, day, level) > supplyBefore(supply, day)
  // Supply rises at receipts only: between two of them the first day that is short is found by halving.
  const from = Math.max(1, Math.ceil(leadTime.meanDays))
  const stops = [
    ...supply.arrivals.map(({ day }) => day).filter((day) => day > from && day < end),
    end,
  ]
  let start = from
  for (const stop of stops) {
    if (isShort(stop)) return inTimeFor(firstDay(start, stop, isShort) - 1)
    start = stop
  }
  return inTimeFor(end - 1)
}

/**
 * Whether an order can wait for the pair's next review: the last one is less than a review period old, and one placed
 * at the next chance still comes in time. Without it a daily run would order every day what was used the day before.
 * What is approved and not in the ERP yet was ordered too: it comes no sooner than an order that goes out now.
 */
export function canWait(
  { forecast, daysSinceOrder }: ProposalInput,
  situation: Situation,
  { targetQuantile, reviewPeriodDays }: Pick<Calculation, 'targetQuantile' | 'reviewPeriodDays'>,
): boolean {
  if (daysSinceOrder == null || daysSinceOrder >= reviewPeriodDays) return false
  const approved = { day: situation.arrivalOf(0), quantity: situation.openProposals }
  const supply = withArrival(situation.supply, approved)
  return (
    latestOrderDay(forecast, { ...situation, supply }, targetQuantile) >= situation.nextDecision
  )
}

/** 0 for the most pressing. */
export function urgencyRank(urgency: Urgency): number {
  return URGENCIES.indexOf(urgency)
}
