import type { EpochDay } from '../types.ts'
import { weekdayOf } from './calendar.ts'

/** SKUs that a location sells on a usual day, for its silence to mean that it was closed. */
const DENSE = 20
/** Share of a weekday's dates with sales, for one without any to be out of the ordinary. */
const USUALLY_OPEN = 0.8
/** Shorter closures are holidays: they come again, so they stay in the calendar as days without demand. */
const LONG = 7

/**
 * Days on which a whole location was closed out of its routine for a week or more, and where its
 * rows end. Nothing is said about locations that sell little: there a day without a sale is a day
 * without demand.
 */
export function closedDays(
  days: Int32Array,
  sellingSkus: Int32Array,
): { closedDays: EpochDay[]; knownUntil: EpochDay | null } {
  if (days.length < 28 || median(sellingSkus) < DENSE) return { closedDays: [], knownUntil: null }
  const end = days[days.length - 1]! + 1
  const weeks = (end - days[0]!) / 7
  const openByWeekday = new Float64Array(7)
  for (const day of days) openByWeekday[weekdayOf(day)]!++
  const usuallyOpen = (day: EpochDay) => openByWeekday[weekdayOf(day)]! >= USUALLY_OPEN * weeks
  const closed: EpochDay[] = []
  for (let i = 1; i < days.length; i++) {
    if (days[i]! - days[i - 1]! <= LONG) continue
    for (let day = days[i - 1]! + 1; day < days[i]!; day++) if (usuallyOpen(day)) closed.push(day)
  }
  return { closedDays: closed, knownUntil: end }
}

function median(values: Int32Array): number {
  return values.slice().sort()[values.length >> 1] ?? 0
}
