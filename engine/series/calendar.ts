import type { EpochDay } from '../types.ts'

const MS_PER_DAY = 86_400_000
const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/

/** `YYYY-MM-DD` → days since 1970-01-01. @throws RangeError where it is no day of the calendar. */
export function toEpochDay(date: string): EpochDay {
  const ms = ISO_DATE.test(date) ? Date.parse(`${date}T00:00:00Z`) : NaN
  const day = ms / MS_PER_DAY
  // Date.parse rolls some impossible days over, such as 30 February.
  if (!Number.isInteger(day) || toDate(day) !== date) throw new RangeError(`no date: ${date}`)
  return day
}

/** Days since 1970-01-01 → `YYYY-MM-DD`. */
export function toDate(day: EpochDay): string {
  return new Date(day * MS_PER_DAY).toISOString().slice(0, 10)
}

/** 0 = Thursday (1970-01-01 was one) … 6 = Wednesday; also right for days before 1970. */
export function weekdayOf(day: EpochDay): number {
  return ((day % 7) + 7) % 7
}
