import type { EpochDay, Units } from '../types.ts'

/** A location's demand week by week, each SKU's counted in its usual sales: what all of it does in a year. */
export interface Activity {
  from: EpochDay
  weeks: number[]
}

/** Sums of whole numbers do not depend on their order. */
const PARTS = 1000

/**
 * What a sale adds to the activity of its day, in thousandths: a usual one in full, and a larger one no
 * more, lest promotions and bulk sales be taken for a season.
 */
export const activityPart = (sold: Units, usual: Units): number =>
  Math.round(PARTS * Math.min(1, sold / usual))

/**
 * @param days days with any sale, ascending and unique
 * @param parts the sum of the {@link activityPart}s of each of them
 */
export function activityOf(days: Int32Array, parts: Float64Array): Activity | null {
  if (!days.length) return null
  const from = days[0]!
  const weeks = new Array<number>(Math.floor((days[days.length - 1]! - from) / 7) + 1).fill(0)
  days.forEach((day, i) => (weeks[Math.floor((day - from) / 7)]! += parts[i]!))
  return { from, weeks: weeks.map((sum) => Math.round(sum / PARTS)) }
}
