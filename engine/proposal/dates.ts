import { MS_PER_DAY } from '../series/calendar.ts'
import type { Days } from '../types.ts'

const start = (day: string) => Date.parse(`${day.slice(0, 10)}T00:00:00Z`)

/** The calendar day `days` after an ISO day, as `YYYY-MM-DD`. */
export function addDays(day: string, days: Days): string {
  return new Date(start(day) + days * MS_PER_DAY).toISOString().slice(0, 10)
}

/**
 * Days from one ISO day to another; below 0 where that one is earlier.
 * @throws RangeError for what is no day
 */
export function daysBetween(from: string, to: string): Days {
  const days = Math.round((start(to) - start(from)) / MS_PER_DAY)
  if (Number.isNaN(days)) throw new RangeError(`A date is YYYY-MM-DD, not ${from} or ${to}`)
  return days
}

/** 1 = Monday … 7 = Sunday. */
export function weekdayOf(day: string): number {
  return ((new Date(start(day)).getUTCDay() + 6) % 7) + 1
}
