// Public holidays of the locations of a source, for forecasts and for the calendar of planned events.
import {
  type Holiday,
  type HolidaysAt,
  LEARNING_DAYS,
  type LocationContext,
  toDate,
  toEpochDay,
} from '../../../engine/index.ts'
import { type Country, publicHolidays, UnknownCountry } from '../../../holidays/public-holidays.ts'
import { takeNumbers } from '../../base/database/counters.ts'
import { HolidayCalendars, Locations, PlannedEvents, readAs } from '../../base/database/entities.ts'
import { inChunks } from '../../base/database/rows.ts'
import { insertRows } from '../../base/database/native/bulk.ts'

const YEAR = 366

interface Where {
  location: string
  country: string | null
  region: string | null
}

/** The country of a location of the source, as the calendar or else the source says; undefined where neither does. */
export async function countriesOf(
  source: number,
): Promise<(location: string) => Country | undefined> {
  const columns = ['location', 'country', 'region'] as const
  const set = await readAs<Where>(SELECT.from(HolidayCalendars).columns(...columns))
  const told = await readAs<Where>(
    SELECT.from(Locations)
      .columns(...columns)
      .where({ source_ID: source, country: { '!=': null } }),
  )
  const byName = new Map([...told, ...set].map((each) => [each.location, each]))
  return (location) => {
    const { country, region } = byName.get(location) ?? byName.get('') ?? {}
    return country ? { country, region: region ?? null } : undefined
  }
}

/** The holidays of the past and the coming year for a forecast; undefined if no location has a country. */
export async function loadHolidays(
  source: number,
  asOf: string,
  locations: Iterable<string>,
): Promise<HolidaysAt | undefined> {
  const countryOf = await countriesOf(source)
  const day = toEpochDay(asOf)
  const [from, to] = [day - LEARNING_DAYS, day + YEAR]
  const years = { first: Number(toDate(from).slice(0, 4)), last: Number(toDate(to).slice(0, 4)) }
  const byCountry = new Map<string, Holiday[]>()
  const byLocation = new Map<string, Holiday[]>()
  for (const location of new Set(locations)) {
    const where = countryOf(location)
    if (!where) continue
    const key = JSON.stringify(where)
    let known = byCountry.get(key)
    if (!known) {
      const all = await publicHolidays(where, years).catch(noneOfUnknown)
      const days = all.map(({ date, name }) => ({ day: toEpochDay(date), name }))
      known = days.filter((each) => each.day >= from && each.day < to)
      byCountry.set(key, known)
    }
    byLocation.set(location, known)
  }
  return byLocation.size ? (location) => byLocation.get(location) : undefined
}

/** Countries without a known calendar have no holidays; the sync notes them. */
function noneOfUnknown(error: unknown): [] {
  if (error instanceof UnknownCountry) return []
  throw error
}

interface Line {
  location: string
  name: string
  firstDay: string
  factor: number | null
}

/** Shows holidays from a year before the day to a year after it with what was learnt of those to come. */
export async function showHolidays(
  source: number,
  asOf: string,
  contexts: ReadonlyMap<string, LocationContext>,
  holidaysAt: HolidaysAt | undefined,
) {
  const of = { source_ID: source, origin: 'holiday' as const }
  const stored = await readAs<Line & { ID: number }>(
    SELECT.from(PlannedEvents).columns('ID', 'location', 'name', 'firstDay', 'factor').where(of),
  )
  const lines = linesOf(asOf, contexts, holidaysAt)
  const keyOf = (line: Line) =>
    JSON.stringify([line.location, line.name, line.firstDay, line.factor])
  const wanted = new Map(lines.map((line) => [keyOf(line), line]))
  const gone = stored.filter((line) => !wanted.delete(keyOf(line)))
  for (const chunk of inChunks(gone))
    await DELETE.from(PlannedEvents).where({ ID: { in: chunk.map(({ ID }) => ID) } })
  if (!wanted.size) return
  const first = await takeNumbers('plannedEvent', wanted.size)
  const rows = [...wanted.values()].map((line, i) => ({
    ...{ ID: first + i, ...of, kind: 'holiday', sku: '', skuGroup: '' },
    ...{ ...line, lastDay: line.firstDay, price: null },
  }))
  await insertRows(PlannedEvents, rows)
}

function linesOf(
  asOf: string,
  contexts: ReadonlyMap<string, LocationContext>,
  holidaysAt: HolidaysAt | undefined,
): Line[] {
  const shownFrom = toEpochDay(asOf) - YEAR
  return [...contexts].flatMap(([location, { holidays = [] }]) => {
    const learnt = new Map(holidays.map(({ from, factor }) => [from, factor]))
    return (holidaysAt?.(location) ?? [])
      .filter(({ day }) => day >= shownFrom)
      .map(({ day, name }) => ({
        ...{ location, name, firstDay: toDate(day), factor: learnt.get(day) ?? null },
      }))
  })
}
