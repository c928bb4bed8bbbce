import { InvalidArgumentError } from 'commander'
import {
  type EpochDay,
  LEARNING_DAYS,
  type HolidaysAt,
  toDate,
  toEpochDay,
} from '../../engine/index.ts'
import { type Country, publicHolidays, UnknownCountry } from '../../holidays/public-holidays.ts'
import { WrongUsage } from '../errors.ts'

const AHEAD = 366

/** Parses `DE` or `DE-BY`. */
export function countryOption(text: string): Country {
  const [, country, region] = /^([A-Za-z]{2})(?:-(\w[\w-]*))?$/.exec(text) ?? []
  if (!country)
    throw new InvalidArgumentError('It must be a country as DE, or a part of it as DE-BY.')
  return { country: country.toUpperCase(), region: region?.toUpperCase() ?? null }
}

export const COUNTRY = 'whose public holidays hold at all locations, e.g. DE or DE-BY (none)'

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
