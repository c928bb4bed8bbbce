import type { EpochDay } from '../types.ts'

export const MS_PER_DAY = 86_400_000
const ISO_DATE = /^\d{4}-\d{2}-\d{2}$/

/** From 1970 to 2199: what is asked of these days is kept, since asking the calendar takes thirty times as long and more. */
const KEPT_DAYS = 84_006
const dayOfDate = new Map<string, EpochDay>()
const dateOfDay: string[] = []

/** `YYYY-MM-DD` → days since 1970-01-01. @throws RangeError where it is no day of the calendar. */
export function toEpochDay(date: string): EpochDay {
  const known = dayOfDate.get(date)
  if (known !== undefined) return known
  const day = ISO_DATE.test(date) ? Date.parse(`${date}T00:00:00Z`) / MS_PER_DAY : NaN
  // Date.parse rolls some impossible days over, such as 30 February.
  if (!Number.isInteger(day) || toDate(day) !== date) throw new RangeError(`no date: ${date}`)
  if (isKept(day)) dayOfDate.set(date, day)
  return day
}

/** Days since 1970-01-01 → `YYYY-MM-DD`. */
export function toDate(day: EpochDay): string {
  if (!isKept(day)) return isoDate(day)
  return (dateOfDay[day] ??= isoDate(day))
}

const isKept = (day: EpochDay) => day >= 0 && day < KEPT_DAYS && Number.isInteger(day)

const isoDate = (day: EpochDay) => new Date(day * MS_PER_DAY).toISOString().slice(0, 10)

/** 0 = Thursday (1970-01-01 was one) … 6 = Wednesday. */
export function weekdayOf(day: EpochDay): number {
  return ((day % 7) + 7) % 7
}

/** Months since January 1970. */
export function monthOf(day: EpochDay): number {
  const date = new Date(day * MS_PER_DAY)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}

let daysOfMonth: Uint8Array | undefined

export function dayOfMonth(day: EpochDay): number {
  if (!isKept(day)) return new Date(day * MS_PER_DAY).getUTCDate()
  daysOfMonth ??= Uint8Array.from({ length: KEPT_DAYS }, (_, at) =>
    new Date(at * MS_PER_DAY).getUTCDate(),
  )
  return daysOfMonth[day]!
}

/** The given day of a month, or its last one where the month is shorter. */
export function dayIn(month: number, dayOfMonth: number): EpochDay {
  const last = Date.UTC(1970, month + 1, 0) / MS_PER_DAY
  return Math.min(Date.UTC(1970, month, dayOfMonth) / MS_PER_DAY, last)
}

/** The same day of the calendar, or the one before where there is none. */
export function inNextYear(day: EpochDay): EpochDay {
  const [year, ...rest] = toDate(day).split('-')
  const date = [Number(year) + 1, ...rest].join('-')
  return toEpochDay(date.replace(/-02-29$/, '-02-28'))
}
