import type { Days } from '../types.ts'

/** 1 = Monday … 7 = Sunday, as ISO 8601. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7

/** When orders can go out, counted in days from today. */
export interface OrderCalendar {
  /** The next day on which one can. */
  first: Days
  /** The chance after that one: until its order arrives, the first one must last. */
  next: Days
  /** The last day on which one can of first..`latest`; first where `latest` is earlier. */
  lastUntil(latest: Days): Days
}

/** Any day will do, and decisions are made every review period. */
export function everyDay(reviewPeriodDays: Days): OrderCalendar {
  return { first: 0, next: reviewPeriodDays, lastUntil: (latest) => Math.max(0, latest) }
}

/**
 * A supplier that takes orders on some weekdays only; `today` is one of 1..7.
 * @throws RangeError for a weekday that is not one of 1..7, or none at all
 */
export function onWeekdays(orderDays: readonly Weekday[], today: number): OrderCalendar {
  if (!orderDays.length || !orderDays.every((day) => Number.isInteger(day) && day >= 1 && day <= 7))
    throw new RangeError('Order days are weekdays of 1 (Monday) to 7 (Sunday)')
  const takes = (day: Days) => orderDays.some((weekday) => (today - 1 + day) % 7 === weekday - 1)
  const from = (day: Days) => {
    while (!takes(day)) day++
    return day
  }
  const first = from(0)
  return {
    first,
    next: from(first + 1),
    lastUntil(latest) {
      let day = Math.max(first, Math.floor(latest))
      while (!takes(day)) day--
      return day
    },
  }
}
