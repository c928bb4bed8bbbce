import type { Days, EpochDay } from '../types.ts'
import { dayIn, dayOfMonth, monthOf, weekdayOf } from './calendar.ts'

/** Demand that is booked on one day a week or a month, not on the day of the sale. */
export interface Posting {
  every: 'week' | 'month'
  /** Weekday (0 = Thursday), or day of the month; 31 is a month's last day, however long it is. */
  on: number
  /** The latest day on which anything is known to be booked so; absent or null where that is not known. */
  until?: EpochDay | null
  /** The day is one of the calendar's week or month that the booking stands for, and not its last one or a later one. */
  isWithin?: true
  /** The weeks that are booked, ascending, where each booking stands for several: fiscal periods, quarters. */
  weeks?: readonly number[]
}

/** Bookings may be early or late by so many days, for weekends and holidays. */
const SLACK = { week: { early: 1, late: 2 }, month: { early: 3, late: 4 } }
/** Up to this day a month's booking stands for the month before. */
const AFTER_MONTH = 5

/** Periods for which a booking stands as a rule; 1 but for bookings of several weeks. */
export const periodsOf = (posting: Posting): number => Math.max(1, ...periodsIn(posting))

/** Weeks for which each of several bookings stands; none where each stands for one. */
export const periodsIn = ({ weeks = [] }: Posting): number[] =>
  weeks.slice(1).map((week, i) => week - weeks[i]!)

/** The first day that a booking of that day stands for, and the day after its last one. */
export function bookedDays(posting: Posting, day: EpochDay): { from: EpochDay; to: EpochDay } {
  const index = indexOf(posting, day)
  return { from: endOf(posting, indexBefore(posting, index)), to: endOf(posting, index) }
}

/** The period booked before that one, or where it would have been. */
export function indexBefore(posting: Posting, index: number): number {
  if (!posting.weeks) return index - 1
  return posting.weeks.findLast((week) => week < index) ?? index - periodsOf(posting)
}

export const stepDaysOf = (posting: Posting | null): Days =>
  posting ? (posting.every === 'week' ? 7 : 365.25 / 12) : 1

/** The last day by which a period is booked, where it is at all. */
export const latestDayOf = (posting: Posting, index: number): EpochDay =>
  (posting.isWithin ? endOf(posting, index) - 1 : postingOn(posting, index)) +
  SLACK[posting.every].late

/** The last day by which the next booking after that of a day has come. */
export function nextBookedBy(posting: Posting, day: EpochDay): EpochDay {
  const index = indexOf(posting, day)
  return latestDayOf(posting, isOnSchedule(posting, day) ? index + periodsOf(posting) : index)
}

/** Days by which a booking is off the nearest day of the schedule. */
export function offSchedule(posting: Posting, day: EpochDay): Days {
  const on = postingOn(posting, indexOf(posting, day))
  return day - on
}

export function isOnSchedule(posting: Posting, day: EpochDay): boolean {
  const { early, late } = SLACK[posting.every]
  const off = offSchedule(posting, day)
  return off >= -early && off <= late
}

/** Number of the week or month in which a booking of that day belongs: the first that is not booked for long. */
export function indexOf(posting: Posting, day: EpochDay): number {
  const by = day - SLACK[posting.every].late
  if (posting.every === 'week') return Math.floor((by + 6 - posting.on) / 7)
  const month = monthOf(by)
  return dayIn(month, posting.on) >= by ? month : month + 1
}

/** The day on which a week or month is booked. */
export function postingOn({ every, on }: Posting, index: number): EpochDay {
  return every === 'week' ? index * 7 + on : dayIn(index, on)
}

/** The day after the last one that a booking stands for. */
export function endOf(posting: Posting, index: number): EpochDay {
  const { every, on, isWithin } = posting
  if (every === 'month' && on <= AFTER_MONTH) return dayIn(index + (isWithin ? 1 : 0), 1)
  const end = postingOn(posting, index) + 1
  return isWithin && every === 'week' ? end + daysBetween(on, SUNDAY) : end
}

const SUNDAY = 3
const daysBetween = (from: number, to: number): Days => (to - from + 7) % 7

/**
 * Planners date a week by any of its days, and a month by its first. That is told from a closed week, Monday to Sunday, or
 * month around the latest booking: where it goes on as of a day, what is booked is what came before.
 */
export function withDating(posting: Posting, asOf: EpochDay): Posting {
  if (posting.until == null) return posting
  const index = indexOf(posting, posting.until)
  const within: Posting = { ...posting, isWithin: true }
  const end = endOf(within, index)
  return end <= asOf && end > endOf(posting, index) ? within : posting
}

/** A schedule with the share of the bookings that are on its very day. */
export interface Likeliest extends Posting {
  share: number
}

/** The most common schedule among some days, each with its weight. */
export function likeliest(
  every: Posting['every'],
  days: ArrayLike<EpochDay>,
  weights?: ArrayLike<number>,
): Likeliest {
  const counts = new Float64Array(32)
  let [all, last] = [0, 0]
  for (let i = 0; i < days.length; i++) {
    const weight = weights?.[i] ?? 1
    all += weight
    if (every === 'month' && dayOfMonth(days[i]! + 1) === 1) last += weight
    counts[every === 'week' ? weekdayOf(days[i]!) : dayOfMonth(days[i]!)]! += weight
  }
  if (every === 'month' && last >= all / 2) return { every, on: 31, share: last / all }
  const most = Math.max(...counts)
  return { every, on: counts.indexOf(most), share: most / all }
}
