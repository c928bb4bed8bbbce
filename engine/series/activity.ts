import type { EpochDay, Units } from '../types.ts'
import { bookedDays, type Posting } from './posting.ts'

/** A location's demand week by week, each SKU's counted in its usual sales: what all of it does in a year. */
export interface Activity {
  from: EpochDay
  /** In {@link PARTS} of a usual sale. */
  weeks: number[]
}

/** Sums of whole numbers do not depend on their order. */
export const PARTS = 1000

/** A season can do no more to a sale; promotions and bulk sales do. */
export const LARGEST = 3

/**
 * What a sale adds to the activity of its day, in thousandths: a usual one in full.
 * @param most usual sales that it counts as
 */
export const activityPart = (sold: Units, usual: Units, most: number): number =>
  Math.round(PARTS * Math.min(most, sold / usual))

/** What was going on by day. */
export type DailyParts = Map<EpochDay, number>

/** Lays what is booked by week or month on the days that it stands for, in whole parts. */
export function layOnDays(parts: DailyParts, posting: Posting | null): DailyParts {
  if (!posting) return parts
  const laid: DailyParts = new Map()
  for (const [day, sum] of parts) {
    const { from, to } = bookedDays(posting, day)
    const before = (days: number) => Math.round((sum * days) / (to - from))
    for (let i = 0; i < to - from; i++)
      laid.set(from + i, (laid.get(from + i) ?? 0) + before(i + 1) - before(i))
  }
  return laid
}

/** @param parts each day's sum of {@link activityPart}s; absent days had none */
export function activityOf(parts: DailyParts): Activity | null {
  if (!parts.size) return null
  let [from, last] = [Infinity, -Infinity]
  for (const day of parts.keys()) {
    if (day < from) from = day
    if (day > last) last = day
  }
  const weeks = weeksOf(parts, from, Math.floor((last - from) / 7) + 1)
  const thin = thinWeeks(weeks)
  return { from: from + 7 * thin, weeks: weeks.slice(thin) }
}

/** @param from days before it are left out */
export function weeksOf(parts: DailyParts, from: EpochDay, count: number): number[] {
  const weeks = new Array<number>(count).fill(0)
  for (const [day, sum] of parts) {
    const week = Math.floor((day - from) / 7)
    if (week >= 0) weeks[week]! += sum
  }
  return weeks
}

const QUARTER = 13
const YEAR = 52
/** Times that a quarter has what all before it had at most: others sell now, and their start is no season. */
const GREW = 3

/**
 * How many weeks of a beginning tell nothing of the year, because hardly anything of what sold a year later was known: a few old
 * SKUs before the others, an ERP that was filled step by step.
 */
export function thinWeeks(weeks: readonly number[]): number {
  const sums = [0]
  for (const week of weeks) sums.push(sums.at(-1)! + week)
  const quarter = (from: number) => sums[from + QUARTER]! - sums[from]!
  let [thin, most] = [0, 0]
  for (let week = 0; week + YEAR + QUARTER <= weeks.length; week++) {
    most = Math.max(most, quarter(week))
    if (GREW * most < quarter(week + YEAR)) thin = week + QUARTER
  }
  return thin
}

/** Variance of a week over its squared mean, as far as neither trend nor season tells it. */
export function weekNoise(weeks: readonly number[]): number {
  const mean = weeks.reduce((sum, week) => sum + week, 0) / weeks.length
  let squares = 0
  for (let i = 1; i < weeks.length - 1; i++)
    squares += (weeks[i + 1]! - 2 * weeks[i]! + weeks[i - 1]!) ** 2 / 6
  return squares / Math.max(1, weeks.length - 2) / (mean * mean)
}
