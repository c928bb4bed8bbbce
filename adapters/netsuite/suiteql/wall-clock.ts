import { dayText } from '../../rows/days.ts'

// SuiteQL compares and writes instants in the time zone of the user, without saying which.

/** What a clock on the wall shows there, as if it were UTC: milliseconds since 1970. */
export type Wall = number

/** NetSuite's format, by which all instants are asked for. */
export const INSTANT = 'YYYY-MM-DD HH24:MI:SS'
export const DAY = 'YYYY-MM-DD'

const HOUR = 3_600_000

/** Clocks are set back by an hour, and changes are saved late. */
const OVERLAP_MS = 70 * 60_000
/** Where the time zone is unknown: it may lie twelve hours behind UTC. */
const OVERLAP_OF_UNKNOWN_ZONE_MS = OVERLAP_MS + 12 * HOUR

export const overlapOf = (zone: string | undefined): number =>
  zone === undefined ? OVERLAP_OF_UNKNOWN_ZONE_MS : OVERLAP_MS

/** @param zone UTC where it is unknown */
export function wallOf(instant: number, zone: string | undefined): Wall {
  const format = new Intl.DateTimeFormat('sv-SE', {
    ...{ timeZone: zone ?? 'UTC', dateStyle: 'short', timeStyle: 'medium' },
  })
  return Date.parse(`${format.format(instant).replace(' ', 'T')}Z`)
}

/** An instant as SuiteQL wrote it; null where it is none. */
export function parseWall(text: string | null | undefined): Wall | null {
  if (!text || !/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return null
  const wall = Date.parse(`${text.replace(' ', 'T')}Z`)
  return Number.isNaN(wall) ? null : wall
}

export function instantLiteral(wall: Wall): string {
  const text = new Date(wall).toISOString().slice(0, 19).replace('T', ' ')
  return `TO_DATE('${text}','${INSTANT}')`
}

/** @param day `YYYY-MM-DD` @throws RangeError for anything else, which is never put into a query */
export function dayLiteral(day: string): string {
  const iso = dayText(Date.parse(`${day}T00:00:00Z`))
  return `TO_DATE('${iso}','${DAY}')`
}
