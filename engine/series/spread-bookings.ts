import type { DemandHistory, EpochDay } from '../types.ts'
import type { LocationContext } from './location-context.ts'
import { endOf, indexOf, latestDayOf, type Posting, stepDaysOf } from './posting.ts'
import { unitsOf } from './quantity.ts'

/** What was sold by day, as far as bookings tell: each is shared out evenly over the days that it stands for. */
export interface SpreadHistory extends DemandHistory {
  /** The day after the last one that is booked. */
  end: EpochDay
}

/**
 * A history that is booked by week or month, told by day.
 * @param days ascending
 */
export function spreadBookings(
  { days, quantities }: DemandHistory,
  posting: Posting,
): SpreadHistory {
  const periods = new Map<number, number>()
  days.forEach((day, i) => {
    const index = indexOf(posting, day)
    periods.set(index, (periods.get(index) ?? 0) + unitsOf(quantities[i]!))
  })
  const spread: [EpochDay, number][] = []
  let end = -Infinity
  for (const [index, units] of periods) {
    const [from, to] = [endOf(posting, index - 1), endOf(posting, index)]
    for (let day = from; day < to; day++) spread.push([day, units / (to - from)])
    end = Math.max(end, to)
  }
  return {
    days: Int32Array.from(spread, ([day]) => day),
    quantities: Float64Array.from(spread, ([, units]) => units),
    end,
  }
}

/**
 * The day from which a source is forecast: the one after its last row, but where all of it is booked by week or month
 * today, as long as the next booking is not overdue.
 */
export function bookingDay(
  contexts: Iterable<Pick<LocationContext, 'posting'>>,
  end: EpochDay,
  today: EpochDay,
): EpochDay {
  let latest = today
  let any = false
  for (const { posting } of contexts) {
    if (!posting) return end
    any = true
    const next = latestDayOf(posting, indexOf(posting, end - 1) + 1)
    latest = Math.min(latest, Math.max(next, end + Math.ceil(stepDaysOf(posting))))
  }
  return any ? Math.max(end, latest) : end
}
