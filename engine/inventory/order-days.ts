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

/** The first day from a day on, counted from today, on which the supplier works. */
type OpenFrom = (day: Days) => Days
const ALWAYS: OpenFrom = (day) => day

/** Any day of work will do, and decisions are made every review period. */
export function everyDay(reviewPeriodDays: Days, openFrom = ALWAYS): OrderCalendar {
  const first = openFrom(0)
  return {
    first,
    next: openFrom(Math.max(reviewPeriodDays, first + 1)),
    lastUntil: (latest) => lastOf((day) => openFrom(day) === day, first, latest),
  }
}

/**
 * A supplier that takes orders on some weekdays only, and not while it is closed; `today` is one of 1..7.
 * @throws RangeError for a weekday that is not one of 1..7, or none at all
 */
export function onWeekdays(
  orderDays: readonly Weekday[],
  today: number,
  openFrom = ALWAYS,
): OrderCalendar {
  if (!orderDays.length || !orderDays.every((day) => Number.isInteger(day) && day >= 1 && day <= 7))
    throw new RangeError('Order days are weekdays of 1 (Monday) to 7 (Sunday)')
  const isOrderDay = (day: Days) =>
    orderDays.some((weekday) => (today - 1 + day) % 7 === weekday - 1)
  const takes = (day: Days) => isOrderDay(day) && openFrom(day) === day
  const from = (day: Days) => {
    // Order days of which every one is a day of rest: the next day of work is one.
    for (let each = day; each < day + LONGEST_WAIT; each++) if (takes(each)) return each
    return openFrom(day)
  }
  const first = from(0)
  return {
    first,
    next: from(first + 1),
    lastUntil: (latest) => lastOf(takes, first, Math.floor(latest)),
  }
}

const LONGEST_WAIT: Days = 366

function lastOf(takes: (day: Days) => boolean, first: Days, latest: Days): Days {
  let day = latest
  while (day > first && !takes(day)) day--
  return Math.max(first, day)
}
