// By what rules a day may come again: of every month, or of every few weeks.
import type { EpochDay } from '../types.ts'
import { dayIn, monthOf, weekdayOf } from './calendar.ts'

/** Its days from the first day on, before the end; ascending. */
export type DayRule = (first: EpochDay, end: EpochDay) => EpochDay[]

/** Dates that every month has. */
const DATES = 28
const WEEKS = [2, 3, 4, 5, 6, 7, 8]

/** Filled when first asked for: asking the calendar takes long. */
const known = new Map<number, EpochDay[]>()

/** @param month as {@link monthOf} counts them */
function daysOfMonth(month: number): EpochDay[] {
  const found = known.get(month) ?? listDays(month)
  known.set(month, found)
  return found
}

/** Dates from its start and its end, working days from both, weekdays, and dates moved to working days. */
function listDays(month: number): EpochDay[] {
  const [first, last] = [dayIn(month, 1), dayIn(month, 31)]
  const dates = Array.from({ length: DATES }, (_, i) => first + i)
  const all = Array.from({ length: last - first + 1 }, (_, i) => first + i)
  const working = all.filter(isWorkingDay)
  const weekdays = Array.from({ length: 7 }, (_, weekday) => {
    const days = all.filter((day) => weekdayOf(day) === weekday)
    return [...days.slice(0, 4), days.at(-1)!]
  })
  return [
    ...dates,
    ...[last, last - 1, last - 2],
    ...working.slice(0, 3),
    ...working.slice(-3),
    ...weekdays.flat(),
    ...dates.map((day) => workingDay(day, 1)),
    ...dates.map((day) => workingDay(day, -1)),
  ]
}

/** Monday to Friday: day 0 was a Thursday. */
const isWorkingDay = (day: EpochDay) => ![2, 3].includes(weekdayOf(day))

/** The day itself, or the next or last one that is. */
const workingDay = (day: EpochDay, by: 1 | -1): EpochDay =>
  isWorkingDay(day) ? day : workingDay(day + by, by)

/** A day may be moved out of its month. */
const ofEveryMonth =
  (at: number): DayRule =>
  (first, end) => {
    const from = monthOf(first) - 1
    const months = Array.from({ length: monthOf(end) + 2 - from }, (_, i) => from + i)
    return months.map((month) => daysOfMonth(month)[at]!).filter((day) => day >= first && day < end)
  }

const modulo = (value: number, by: number) => ((value % by) + by) % by

/** @param phase the first such day of all time */
const everyDays =
  (days: number, phase: number): DayRule =>
  (first, end) => {
    const from = first + modulo(phase - first, days)
    return Array.from(
      { length: Math.max(0, Math.ceil((end - from) / days)) },
      (_, i) => from + i * days,
    )
  }

const OF_EVERY_MONTH = listDays(0).map((_, at) => ofEveryMonth(at))

/** The simplest first. */
export const DAY_RULES: readonly DayRule[] = [
  ...OF_EVERY_MONTH,
  ...WEEKS.flatMap((weeks) =>
    Array.from({ length: 7 * weeks }, (_, phase) => everyDays(7 * weeks, phase)),
  ),
]

const onDay = new Map<EpochDay, number[]>()

/** Places in {@link DAY_RULES} of those that name a day. */
export function rulesOn(day: EpochDay): readonly number[] {
  const found = onDay.get(day) ?? listRules(day)
  onDay.set(day, found)
  return found
}

function listRules(day: EpochDay): number[] {
  const month = monthOf(day)
  const rules = new Set<number>()
  for (const each of [month - 1, month, month + 1])
    daysOfMonth(each).forEach((other, at) => other === day && rules.add(at))
  let first = OF_EVERY_MONTH.length
  for (const weeks of WEEKS) {
    rules.add(first + modulo(day, 7 * weeks))
    first += 7 * weeks
  }
  return [...rules]
}
