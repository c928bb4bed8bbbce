import type { Days, EpochDay } from '../types.ts'
import { dayIn, dayOfMonth, monthOf, weekdayOf } from './calendar.ts'

/** A location that books its demand on one day a week or a month, not on the day of the sale. */
export interface Posting {
  every: 'week' | 'month'
  /** Weekday (0 = Thursday), or day of the month; 31 is a month's last day, however long it is. */
  on: number
}

const FEWEST_POSTINGS = { week: 12, month: 6 }
/** Share of the bookings that must keep to the schedule. */
const ON_SCHEDULE = 0.95
/** A month's booking may be late or early by so many days, for weekends. */
const MONTHLY_SLACK = 3

export const stepDaysOf = (posting: Posting | null): Days =>
  posting ? (posting.every === 'week' ? 7 : 365.25 / 12) : 1

/** @param days on which anything was booked, ascending and unique */
export function detectPosting(days: Int32Array): Posting | null {
  if (days.length < FEWEST_POSTINGS.month) return null
  const lastOfMonth = days.filter((day) => dayOfMonth(day + 1) === 1).length
  const monthly = lastOfMonth >= days.length / 2 ? 31 : mostCommon(days, dayOfMonth)
  for (const posting of [
    { every: 'month', on: monthly },
    { every: 'week', on: mostCommon(days, weekdayOf) },
  ] as const)
    if (days.length >= FEWEST_POSTINGS[posting.every] && isOnSchedule(posting, days)) return posting
  return null
}

function isOnSchedule(posting: Posting, days: Int32Array): boolean {
  const slack = posting.every === 'month' ? MONTHLY_SLACK : 0
  const periods = new Set<number>()
  let kept = 0
  for (const day of days) {
    const index = indexOf(posting, day)
    periods.add(index)
    if (Math.abs(postingOn(posting, index) - day) <= slack) kept++
  }
  return Math.min(kept, periods.size) >= ON_SCHEDULE * days.length
}

function mostCommon(days: Int32Array, of: (day: EpochDay) => number): number {
  const counts = new Array<number>(32).fill(0)
  for (const day of days) counts[of(day)]!++
  return counts.indexOf(Math.max(...counts))
}

/** Number of the week or month in which a day's demand is booked. */
export function indexOf({ every, on }: Posting, day: EpochDay): number {
  return every === 'week' ? Math.floor((day + 6 - on) / 7) : monthOf(day)
}

/** The day on which a week or month is booked. */
export function postingOn({ every, on }: Posting, index: number): EpochDay {
  return every === 'week' ? index * 7 + on : dayIn(index, on)
}

/** Days from `asOf` to each booking within the horizon: 0 is on the as-of date itself. */
export function comingPostings(posting: Posting, asOf: EpochDay, horizon: Days): Days[] {
  const offsets: Days[] = []
  for (let index = indexOf(posting, asOf); ; index++) {
    const offset = postingOn(posting, index) - asOf
    if (offset >= horizon) return offsets
    if (offset >= 0) offsets.push(offset)
  }
}
