import { LEARNING_DAYS, toDate, toEpochDay } from '../../engine/index.ts'
import type { EpochDay, HolidaysAt } from '../../engine/index.ts'
import { type Country, publicHolidays, UnknownCountry } from '../../holidays/public-holidays.ts'
import { WrongUsage } from '../errors.ts'

const AHEAD = 366

/**
 * What forecasts of these days may know of public holidays; undefined for no country.
 * @throws WrongUsage where there is no such country or part of it
 */
export async function holidaysFor(
  country: Country | undefined,
  asOf: readonly EpochDay[],
): Promise<HolidaysAt | undefined> {
  if (!country) return undefined
  const [from, to] = [Math.min(...asOf) - LEARNING_DAYS, Math.max(...asOf) + AHEAD]
  const yearOf = (day: EpochDay) => Number(toDate(day).slice(0, 4))
  const years = { first: yearOf(from), last: yearOf(to) }
  const found = await publicHolidays(country, years).catch((error: unknown) => {
    throw error instanceof UnknownCountry
      ? new WrongUsage(`--country: the ${error.field} ${error.message}.`)
      : error
  })
  const calendar = found.map(({ date, name }) => ({ day: toEpochDay(date), name }))
  return () => calendar
}
