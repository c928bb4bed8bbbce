import { weekdayOf } from './calendar.ts'

/** Weeks and sales that a location must have seen to speak about weekdays. */
const FEWEST_WEEKS = 8
const FEWEST_SALES = 500

/** How many SKUs sell on each weekday (0 = Thursday), over the mean of all seven. */
export function weekdayShares(days: Int32Array, sellingSkus: Int32Array): number[] | null {
  const end = (days[days.length - 1] ?? 0) + 1
  const weeks = Math.floor(Math.min(364, end - (days[0] ?? end)) / 7)
  const sums = new Array<number>(7).fill(0)
  for (let i = 0; i < days.length; i++)
    if (days[i]! >= end - 7 * weeks) sums[weekdayOf(days[i]!)]! += sellingSkus[i]!
  const total = sums.reduce((sum, sales) => sum + sales, 0)
  if (weeks < FEWEST_WEEKS || total < FEWEST_SALES) return null
  return sums.map((sales) => Math.round((sales / total) * 7 * 1e4) / 1e4)
}
