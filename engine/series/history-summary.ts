import { toFinest, unitsOf } from './quantity.ts'
import type { Days, DemandHistory, EpochDay, Units } from '../types.ts'

/** A history in four numbers, of all rows before the as-of date. */
export interface HistorySummary {
  /** Since the first row. */
  days: Days
  /** Since the last sale; NaN where there was none. */
  silentDays: Days
  /** Days with demand. */
  sales: number
  units: Units
}

export function summariseHistory(
  { days, quantities }: DemandHistory,
  asOf: EpochDay,
): HistorySummary {
  let first = asOf
  let last = NaN
  let sales = 0
  let units = 0
  for (let i = 0; i < days.length; i++) {
    const day = days[i]!
    if (day >= asOf) continue
    if (day < first) first = day
    const sold = unitsOf(quantities[i]!)
    if (sold === 0) continue
    if (!(day <= last)) last = day
    sales++
    units = toFinest(units + sold)
  }
  return { days: asOf - first, silentDays: asOf - last, sales, units }
}
