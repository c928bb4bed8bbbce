// Feasts that move through the calendar and have seasons of their own: what is sold for them comes with them.
import type { EpochDay } from '../types.ts'
import { MS_PER_DAY } from './calendar.ts'

const YEAR = 365.2425
/** Years before and after a day: two that the past is compared over, and one to come. */
const AROUND = [-3, -2, -1, 0, 1, 2]

/** Days of each feast in some years, ascending. */
const FEASTS: readonly ((year: number) => EpochDay[])[] = [
  (year) => [westernEaster(year)],
  (year) => [orthodoxEaster(year)],
  // A year of the moon begins twice in some of the sun.
  (year) => daysOf(year, 'islamic-umalqura', '9'),
  (year) => daysOf(year, 'chinese', '1'),
]

/** The days of each feast in the years around a day. */
export function feastsAround(day: EpochDay): EpochDay[][] {
  const year = 1970 + Math.floor(day / YEAR)
  return FEASTS.map((of) => AROUND.flatMap((by) => of(year + by)))
}

const toDay = (year: number, month: number, day: number) =>
  Date.UTC(year, month - 1, day) / MS_PER_DAY

/** By the anonymous rule of 1876, as Butcher gives it. */
function westernEaster(year: number): EpochDay {
  const [golden, century, rest] = [year % 19, Math.floor(year / 100), year % 100]
  const shift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const moon = (19 * golden + century - Math.floor(century / 4) - shift + 15) % 30
  const sunday = (32 + 2 * (century % 4) + 2 * Math.floor(rest / 4) - moon - (rest % 4)) % 7
  const late = Math.floor((golden + 11 * moon + 22 * sunday) / 451)
  return toDay(year, 3, 22 + moon + sunday - 7 * late)
}

/** By Meeus's rule for the Julian calendar, which is 13 days behind from 1900 to 2099. */
function orthodoxEaster(year: number): EpochDay {
  const moon = (19 * (year % 19) + 15) % 30
  const sunday = (2 * (year % 4) + 4 * (year % 7) - moon + 34) % 7
  return toDay(year, 3, 22 + moon + sunday + 13)
}

const memo = new Map<string, EpochDay[]>()

/** The first days of a month of another calendar. */
function daysOf(year: number, calendar: string, month: string): EpochDay[] {
  const key = `${calendar} ${year}`
  let found = memo.get(key)
  if (!found) {
    const format = new Intl.DateTimeFormat(`en-u-ca-${calendar}`, {
      ...{ month: 'numeric', day: 'numeric', timeZone: 'UTC' },
    })
    const isFirst = (day: EpochDay) => {
      const parts = format.formatToParts(day * MS_PER_DAY)
      const valueOf = (type: string) => parts.find((part) => part.type === type)?.value
      return valueOf('day') === '1' && valueOf('month') === month
    }
    const first = toDay(year, 1, 1)
    const days = toDay(year + 1, 1, 1) - first
    found = Array.from({ length: days }, (_, i) => first + i).filter(isFirst)
    memo.set(key, found)
  }
  return found
}
