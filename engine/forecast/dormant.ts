import type { Days, Units } from '../types.ts'
import { writeCountQuantiles } from './numeric/count-quantiles.ts'

export const DORMANT_AFTER: Days = 365

/**
 * Nothing was sold for a year or more: P10 = P50 = 0. For the P90 the rule of three: with none in d
 * days, a rate above 3/d a day is ruled out with 95 %; so many sales of the usual size.
 */
export function writeDormantQuantiles(
  silentDays: Days,
  saleSize: Units,
  horizon: Days,
  out: Float64Array,
  at: number,
): void {
  const sales = (3 / silentDays) * horizon
  writeCountQuantiles(sales, sales * 1.001, out, at)
  out[at] = 0
  out[at + 1] = 0
  out[at + 2]! *= saleSize
}
