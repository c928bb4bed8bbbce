import type { EpochDay } from '../types.ts'
import { weekdayOf } from './calendar.ts'

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
