// Finds duplicate keys in a file. It must use little memory, because files have millions of rows.
import { DAY_MS } from '../rows/days.ts'
import type { RecordOf } from '../records.ts'

export interface FirstLines<R> {
  /** The line of an earlier record with the same key; null where there is none. */
  earlierLine(record: R, line: number): number | null
}

type Level = Map<string, Level | number>

/** For keys of text fields: nested maps, one level per field, use less memory than joined keys. */
export function firstLinesOfKeys<R>(fields: readonly string[]): FirstLines<R> {
  const first: Level = new Map()
  const last = fields.length - 1
  return {
    earlierLine(record, line) {
      const values = record as Record<string, string>
      let level = first
      for (let i = 0; i < last; i++) level = nextLevel(level, values[fields[i]!]!)
      const key = values[fields[last]!]!
      const known = level.get(key) as number | undefined
      if (known !== undefined) return known
      level.set(key, line)
      return null
    },
  }
}

function nextLevel(level: Level, key: string): Level {
  const known = level.get(key) as Level | undefined
  if (known) return known
  const next: Level = new Map()
  level.set(key, next)
  return next
}

const LINES = 2 ** 32

/** For a row a day: day and line are packed into one number per row, sorted within each pair. */
export function firstLinesOfDays<K extends 'demand' | 'stockHistory' = 'demand'>(): FirstLines<
  RecordOf<K>
> {
  const skus = new Map<string, Map<string, number[]>>()
  return {
    earlierLine({ sku, location, date }, line) {
      let locations = skus.get(sku)
      if (!locations) skus.set(sku, (locations = new Map<string, number[]>()))
      let days = locations.get(location)
      if (!days) locations.set(location, (days = []))
      return lineOfDay(days, Date.parse(date) / DAY_MS, line)
    },
  }
}

function lineOfDay(days: number[], day: number, line: number): number | null {
  const at = indexFrom(days, day * LINES)
  const known = days[at]
  if (known !== undefined && Math.floor(known / LINES) === day) return known - day * LINES
  const entry = day * LINES + line
  if (at === days.length) days.push(entry)
  else days.splice(at, 0, entry)
  return null
}

/** The index of the first entry that is at least `bound`; fast for rows sorted by day. */
function indexFrom(entries: number[], bound: number): number {
  let low = 0
  let high = entries.length
  if (!high || entries[high - 1]! < bound) return high
  while (low < high) {
    const middle = (low + high) >>> 1
    if (entries[middle]! < bound) low = middle + 1
    else high = middle
  }
  return low
}
