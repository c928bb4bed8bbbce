import { isTimeZone } from '../../../adapters/time-zone.ts'
import { Locations, readAs, Sources } from '../database/entities.ts'
import { settings } from '../settings/config.ts'
import { dayIn } from './time-zone.ts'

/** The calendar day where the setting `timeZone` is, `YYYY-MM-DD`; that of a location is in local-days.ts. */
export const today = () => dayIn(settings().timeZone, new Date())

/** The calendar day there of a timestamp. */
export const dayOf = (timestamp: string) => dayIn(settings().timeZone, new Date(timestamp))

export { DAY_MS, iso } from './time-zone.ts'

// The calendar days of locations: each has the time zone that a setting names for it, else the ERP, else its source, else
// the setting for all.

/** The days of a source's locations at one instant, `YYYY-MM-DD`. */
export interface LocalDays {
  of(location: string): string
  /** Of locations of which nothing is known but their source. */
  usual: string
  /** The earliest and the latest of them. */
  first: string
  last: string
  /** Locations whose day is not the usual one; of few sources any, and at no hour of those in one zone. */
  others: ReadonlyMap<string, string>
  /** The zone of a location, and the usual one. */
  zoneOf(location: string): string
  zone: string
}

/** Each zone is asked for its day once. */
function daysAt(at: Date): (zone: string) => string {
  const days = new Map<string, string>()
  return (zone) => {
    let day = days.get(zone)
    if (day === undefined) days.set(zone, (day = dayIn(zone, at)))
    return day
  }
}

export async function readLocalDays(source: number, at = new Date()): Promise<LocalDays> {
  return (await readDays({ ID: source }, at)).get(source) ?? daysOf(usualZone(null), [], daysAt(at))
}

/** Of all sources, by their numbers. */
export const readAllLocalDays = (at = new Date()) => readDays({}, at)

/** The earliest day of all locations: what is over then is over everywhere. */
export async function firstDayAnywhere(): Promise<string> {
  const days = await readAllLocalDays()
  return [today(), ...[...days.values()].map(({ first }) => first)].sort()[0]!
}

async function readDays(where: { ID?: number }, at: Date): Promise<Map<number, LocalDays>> {
  const sources = await readAs<{ ID: number; options: string | null }>(
    SELECT.from(Sources).columns('ID', 'options').where(where),
  )
  const { ID } = where
  const rows = await readAs<Located>(
    SELECT.from(Locations)
      .columns('source_ID', 'location', 'timeZone')
      .where({ timeZone: { '!=': null }, ...(ID !== undefined && { source_ID: ID }) }),
  )
  const located = Map.groupBy(rows, ({ source_ID }) => Number(source_ID))
  const dayOf = daysAt(at)
  return new Map(
    sources.map(({ ID, options }) => [
      Number(ID),
      daysOf(usualZone(options), located.get(Number(ID)) ?? [], dayOf),
    ]),
  )
}

interface Located {
  source_ID: number
  location: string
  timeZone: string
}

/**
 * The time zone of a source's schedules, and of its locations of which nothing else is known.
 * @param options as they are stored
 */
export function usualZone(options: string | null | undefined): string {
  const { time_zone: own } = JSON.parse(options ?? '{}') as { time_zone?: unknown }
  return typeof own === 'string' && isTimeZone(own) ? own : settings().timeZone
}

function daysOf(zone: string, located: Located[], dayOf: (zone: string) => string): LocalDays {
  const zones = new Map(located.map((row) => [row.location, row.timeZone]))
  for (const [location, own] of Object.entries(settings().locationTimeZones))
    zones.set(location, own)
  const usual = dayOf(zone)
  const others = new Map(
    [...zones].flatMap(([location, own]) => {
      const day = dayOf(own)
      return day === usual ? [] : [[location, day] as const]
    }),
  )
  const days = [usual, ...others.values()].sort()
  return {
    of: (location) => others.get(location) ?? usual,
    ...{ usual, first: days[0]!, last: days.at(-1)!, others },
    zoneOf: (location) => zones.get(location) ?? zone,
    zone,
  }
}
