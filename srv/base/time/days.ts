import { isTimeZone } from '../../../adapters/time-zone.ts'
import { Locations, readAs, Sources } from '../database/entities.ts'
import { settings } from '../settings/config.ts'
import { dayIn, iso, startOfDay } from './time-zone.ts'

/** The calendar day where the setting `timeZone` is, `YYYY-MM-DD`; that of a location is told below. */
export const today = () => dayIn(settings().timeZone, new Date())

/** The calendar day there of a timestamp. */
export const dayOf = (timestamp: string) => dayIn(settings().timeZone, new Date(timestamp))

/** Databases know no year 0. */
const FIRST_INSTANT = Date.parse('0001-01-01T00:00:00Z')

/** When a day begins where the setting `timeZone` is. */
export const beginningOf = (day: string): string =>
  iso(Math.max(FIRST_INSTANT, startOfDay(settings().timeZone, day).getTime()))

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

// What must be ordered by now: by the last day of its location.

/** A condition as CAP has it. */
type Token = string | { ref: string[] } | { val: unknown } | { list: Token[] } | { xpr: Token[] }

const column = (name: string): Token => ({ ref: [name] })
const listOf = (values: Iterable<unknown>): Token => ({
  list: Array.from(values, (val) => ({ val })),
})

/**
 * A condition on rows with `orderBy`, `location` and their source. There are three days on earth at most: locations are
 * named only where theirs is not the earliest one.
 * @param source the element that holds the number of the source
 */
export async function isDueNow(source = 'source_ID'): Promise<{ xpr: Token[] }> {
  const bySource = await readAllLocalDays()
  const all = [...bySource.values()].flatMap(({ usual, others }) => [usual, ...others.values()])
  const [first = today(), ...later] = [...new Set(all)].sort()
  const until = (day: string): Token[] => [column('orderBy'), '<=', { val: day }]
  if (!later.length) return { xpr: until(first) }
  const of = later.flatMap((day): Token[] => [
    'or',
    { xpr: [...until(day), 'and', { xpr: locationsOn(day, bySource, source) }] },
  ])
  return { xpr: [...until(later.at(-1)!), 'and', { xpr: [...until(first), ...of] }] }
}

/** Where it is that day. */
function locationsOn(day: string, bySource: Map<number, LocalDays>, source: string): Token[] {
  const whole: number[] = []
  const parts: Token[][] = []
  for (const [ID, { usual, others }] of bySource) {
    const named = usual === day ? others : [...others].filter(([, own]) => own === day)
    const codes = [...named].map(([location]) => location)
    if (usual === day && !codes.length) whole.push(ID)
    else if (codes.length)
      parts.push([
        ...[column(source), '=', { val: ID }, 'and'],
        ...[column('location'), usual === day ? 'not in' : 'in', listOf(codes)],
      ])
  }
  if (whole.length) parts.push([column(source), 'in', listOf(whole)])
  return parts.flatMap((part, at) => [...(at ? ['or'] : []), { xpr: part }])
}
