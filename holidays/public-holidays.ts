// Public holidays by country, from the package date-holidays. It is loaded when the first country is asked for.
import type Holidays from 'date-holidays'

/** A country by ISO 3166-1, such as `DE`, and a part of it as the package names them, such as `BY` or `BY-A`. */
export interface Country {
  country: string
  region?: string | null
}

export interface PublicHoliday {
  /** `YYYY-MM-DD` */
  date: string
  /** What it is called in English, the same in all years. */
  name: string
}

/** What is no country, or no region of it, and what there is instead. */
export class UnknownCountry extends Error {
  override name = 'UnknownCountry'
  readonly field: 'country' | 'region'

  constructor(field: 'country' | 'region', message: string) {
    super(message)
    this.field = field
  }
}

/** Of days in lieu: they do what the holiday itself does. */
const IN_LIEU = / \(substitute day\)$/

const DAY_MS = 86_400_000

/** Days that a holiday lasts: a part of a day counts only alone, and an hour of summer time not at all. */
const lengthOf = ({ start, end }: { start: Date; end: Date }) =>
  Math.max(1, Math.floor((end.getTime() - start.getTime()) / DAY_MS + 0.1))

const dayAfter = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/**
 * The public holidays from the first year to the last, ascending, one a day; one of several days is each of them.
 * @throws UnknownCountry
 */
export async function publicHolidays(
  where: Country,
  years: { first: number; last: number },
): Promise<PublicHoliday[]> {
  const calendar = await calendarOf(where)
  const found = new Map<string, string>()
  const later: [day: string, name: string][] = []
  for (let year = years.first; year <= years.last; year++)
    for (const { date, name: said, ...span } of calendar.getHolidays(year, 'en')) {
      const [day, name] = [date.slice(0, 10), said.replace(IN_LIEU, '')]
      if (!found.has(day)) found.set(day, name)
      for (let i = 1; i < lengthOf(span); i++) later.push([dayAfter(day, i), name])
    }
  // A holiday that begins on the second day of another goes by its own name.
  for (const [day, name] of later) if (!found.has(day)) found.set(day, name)
  return [...found]
    .map(([date, name]) => ({ date, name }))
    .sort((a, b) => (a.date < b.date ? -1 : 1))
}

/** @throws UnknownCountry */
export async function assertCountry(where: Country): Promise<void> {
  await calendarOf(where)
}

export const countryCodes = async (): Promise<string[]> =>
  Object.keys(new (await load())().getCountries('en'))

async function calendarOf({ country, region }: Country): Promise<Holidays> {
  const Calendar = await load()
  const all = new Calendar()
  if (!(country in all.getCountries('en')))
    throw new UnknownCountry('country', 'must be the two letters of a country, such as DE')
  const options = { types: ['public' as const] }
  if (!region) return new Calendar(country, options)
  const [state = '', part] = region.split('-')
  const states = codesOf(all.getStates(country))
  if (!states.includes(state))
    throw new UnknownCountry('region', `must be one of ${listOf(states)}`)
  if (!part) return new Calendar(country, state, options)
  const parts = codesOf(all.getRegions(country, state)).map((code) => `${state}-${code}`)
  if (!parts.includes(region))
    throw new UnknownCountry('region', `must be one of ${listOf([state, ...parts])}`)
  return new Calendar(country, state, part, options)
}

const codesOf = (names: Record<string, string> | undefined) => Object.keys(names ?? {}).sort()

const listOf = (codes: string[]) => codes.join(', ') || 'none: the country has no regions'

const load = async () => (await import('date-holidays')).default
