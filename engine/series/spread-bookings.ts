import type { DemandHistory, EpochDay } from '../types.ts'
import type { LocationContext } from './location-context.ts'
import {
  bookedDays,
  indexBefore,
  indexOf,
  latestDayOf,
  periodsOf,
  type Posting,
  postingOn,
  stepDaysOf,
} from './posting.ts'
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
    const { from, to } = bookedDays(posting, postingOn(posting, index))
    for (let day = from; day < to; day++) spread.push([day, units / (to - from)])
    end = Math.max(end, to)
  }
  return {
    days: Int32Array.from(spread, ([day]) => day),
    quantities: Float64Array.from(spread, ([, units]) => units),
    end,
  }
}

/** A history whose bookings stand for several weeks, told by week: each is shared out evenly, in whole parts where it is whole. */
export function inWeeks(history: DemandHistory, posting: Posting | null): DemandHistory {
  if (!posting?.weeks) return history
  const days: EpochDay[] = []
  const quantities: number[] = []
  history.days.forEach((day, i) => {
    const units = history.quantities[i]!
    const index = indexOf(posting, day)
    const weeks = index - indexBefore(posting, index)
    const parts = Number.isInteger(units) ? 1 : 1000
    const upTo = (week: number) => Math.round((units * parts * week) / weeks) / parts
    for (let week = 1; week <= weeks; week++) {
      const part = upTo(week) - upTo(week - 1)
      if (!part) continue
      days.push(postingOn(posting, index - weeks + week))
      quantities.push(part)
    }
  })
  const { promo: _, ...rest } = history
  return { ...rest, days: Int32Array.from(days), quantities: Float64Array.from(quantities) }
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
    const periods = periodsOf(posting)
    const next = latestDayOf(posting, indexOf(posting, end - 1) + periods)
    latest = Math.min(latest, Math.max(next, end + Math.ceil(periods * stepDaysOf(posting))))
  }
  return any ? Math.max(end, latest) : end
}
