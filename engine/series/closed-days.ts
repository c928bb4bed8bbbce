import type { Days, EpochDay, PlannedEffect } from '../types.ts'
import type { DailyParts } from './activity.ts'
import { inNextYear, weekdayOf } from './calendar.ts'

/** SKUs that a location sells on a usual day, for its silence to mean that it was closed, also at the end of its rows. */
const DENSE = 20
/** With fewer SKUs, this many at least, where such a silence between two sales is less probable than this. */
const SMALL = 3
const BY_CHANCE = 1e-6
/** Share of a weekday's dates with sales, for one without any to be out of the ordinary. */
const USUALLY_OPEN = 0.8
/** Shorter closures are holidays: they come again, so they stay in the calendar as days without demand. */
const LONG = 7

/**
 * Days on which a whole location was closed out of its routine for a week or more, and where its
 * rows end. Nothing is said about locations that sell little: there a day without a sale is a day
 * without demand, unless they hardly ever have one.
 */
export function closedDays(
  days: Int32Array,
  sellingSkus: Int32Array,
): { closedDays: EpochDay[]; knownUntil: EpochDay | null } {
  const skus = median(sellingSkus)
  if (days.length < 28 || skus < SMALL) return { closedDays: [], knownUntil: null }
  const silent = skus < DENSE ? chanceOfSilence(days) : 0
  const end = days[days.length - 1]! + 1
  const weeks = (end - days[0]!) / 7
  const openByWeekday = new Float64Array(7)
  for (const day of days) openByWeekday[weekdayOf(day)]!++
  const usuallyOpen = (day: EpochDay) => openByWeekday[weekdayOf(day)]! >= USUALLY_OPEN * weeks
  const closed: EpochDay[] = []
  for (let i = 1; i < days.length; i++) {
    const length = days[i]! - days[i - 1]! - 1
    if (length < LONG || silent ** length > BY_CHANCE) continue
    for (let day = days[i - 1]! + 1; day < days[i]!; day++) if (usuallyOpen(day)) closed.push(day)
  }
  return { closedDays: closed, knownUntil: skus < DENSE ? null : end }
}

/** Of a day without any sale, by those between sales that are no long silence. */
function chanceOfSilence(days: Int32Array): number {
  let [silent, all] = [1, days.length + 2]
  for (let i = 1; i < days.length; i++) {
    const length = days[i]! - days[i - 1]! - 1
    if (length >= LONG) continue
    silent += length
    all += length
  }
  return silent / all
}

function median(values: Int32Array): number {
  return values.slice().sort()[values.length >> 1] ?? 0
}

/** Closures of two years begin so many days apart, at most, to be the same one. */
const ALIKE: Days = 4
/** A closure is asked for only where the same one of the two years before was half as long or more. */
const AS_LONG = 0.5
const YEAR: Days = 364

interface Run {
  from: EpochDay
  /** The last day. */
  to: EpochDay
}

/**
 * The closures of each year, such as three weeks in August, as they come again: those of both of the last two years.
 * @param lastSale the last day with any sale; one well inside a closure says that there is none this year
 */
export function yearlyClosures(
  closed: readonly EpochDay[],
  asOf: EpochDay,
  lastSale: EpochDay,
): PlannedEffect[] {
  const runs = runsOf(closed)
  return runs.flatMap(({ from, to }) => {
    const before = runs.find((run) => Math.abs(from - YEAR - run.from) <= ALIKE)
    if (!before) return []
    const lengths = [to - from, before.to - before.from].map((days) => days + 1) as [Days, Days]
    const [shorter, longer] = [Math.min(...lengths), Math.max(...lengths)]
    if (shorter < AS_LONG * longer) return []
    const next = from - before.from === YEAR ? from + YEAR : inNextYear(from)
    const last = next + shorter - 1
    if (last < asOf || lastSale >= next + ALIKE) return []
    return [{ kind: 'closure' as const, from: Math.max(next, lastSale + 1), to: last, factor: 0 }]
  })
}

/** The days before the as-of date of closures that go on. */
export const closedSoFar = (closures: readonly PlannedEffect[], asOf: EpochDay): EpochDay[] =>
  closures.flatMap(({ from }) =>
    Array.from({ length: Math.max(0, asOf - from) }, (_, i) => from + i),
  )

/** Days without a gap but for those on which the location is never open. */
function runsOf(closed: readonly EpochDay[]): Run[] {
  const runs: Run[] = []
  for (const day of closed) {
    const last = runs.at(-1)
    if (last && day - last.to < LONG) last.to = day
    else runs.push({ from: day, to: day })
  }
  return runs
}

/** What would have been going on, had the location been open: as on the nearest same weekdays before and after. */
export function withoutClosures(parts: DailyParts, closed: readonly EpochDay[]): DailyParts {
  if (!closed.length) return parts
  const isClosed = new Set(closed)
  const nearest = (day: EpochDay, step: Days) => {
    let at = day + step
    while (isClosed.has(at)) at += step
    return parts.get(at) ?? 0
  }
  const filled = new Map(parts)
  let last = -Infinity
  for (const day of parts.keys()) last = Math.max(last, day)
  for (const day of closed.filter((each) => each < last))
    filled.set(day, Math.round((nearest(day, -7) + nearest(day, 7)) / 2))
  return filled
}
