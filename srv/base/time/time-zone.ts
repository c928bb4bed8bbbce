// Calendar days and clocks of time zones, by the names of the IANA database.

export const DAY_MS = 86_400_000

/** A time in milliseconds, as it is stored. */
export const iso = (time: number) => new Date(time).toISOString()

/** What clocks and calendars of a zone show; making a format takes a thousand times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (!format) {
    const numeric = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
    format = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
      ...{ timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' },
      ...{ ...numeric, hourCycle: 'h23' },
    })
    formats.set(zone, format)
  }
  return format
}

/** What a clock on a wall there shows, as if it were UTC: milliseconds since 1970, in whole seconds. */
export function wallClock(zone: string, instant: number): number {
  if (zone === 'UTC') return instant
  const parts = formatOf(zone).formatToParts(instant)
  const of = (type: string) => Number(parts.find((part) => part.type === type)!.value)
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
}

/** The calendar day of an instant, `YYYY-MM-DD`. */
export const dayIn = (zone: string, instant: Date): string =>
  new Date(wallClock(zone, instant.getTime())).toISOString().slice(0, 10)

/**
 * The instants at which a clock there shows a time, in milliseconds: two on a day of 25 hours, where it is put back. A
 * time that is left out on a day of 23 hours is that of a clock that nobody has put forward yet.
 * @param wall as {@link wallClock} gives it
 */
export function instantsAt(zone: string, wall: number): [number, ...number[]] {
  if (zone === 'UTC') return [wall]
  const offset = (at: number) => wallClock(zone, at) - at
  const [before, after] = [offset(wall - DAY_MS), offset(wall + DAY_MS)]
  const shown = [...new Set([wall - before, wall - after])]
    .filter((at) => wallClock(zone, at) === wall)
    .sort((a, b) => a - b)
  const [first, ...others] = shown
  return first === undefined ? [wall - before] : [first, ...others]
}

/** The instant at which a day begins there. @param day `YYYY-MM-DD` */
export const startOfDay = (zone: string, day: string): Date =>
  new Date(instantsAt(zone, Date.parse(`${day}T00:00:00Z`))[0])
