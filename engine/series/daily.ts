import type { DemandHistory, EpochDay } from '../types.ts'
import type { LocationContext } from './context.ts'

/** No method gains from more than two years. */
export const MAX_DAYS = 730
/** Larger quantities are taken for this one, so that sums stay exact. */
const MAX_QUANTITY = 1e12

/** Demand day by day from the first sale (or 730 days back) to the day before `asOf`. */
export interface DailySeries {
  asOf: EpochDay
  /** One value a day; the last one is of the day before `asOf`. Empty where nothing was ever sold. */
  values: Float64Array
}

/** Sums up the rows by day; rows on or after `asOf` and quantities that are no number are not read. */
export function dailySeries(
  history: DemandHistory,
  asOf: EpochDay,
  _context: LocationContext,
): DailySeries {
  const { days, quantities } = history
  const length = Math.min(MAX_DAYS, asOf - firstSale(history, asOf))
  if (!(length > 0)) return { asOf, values: new Float64Array(0) }
  const values = new Float64Array(length)
  const start = asOf - length
  for (let i = 0; i < days.length; i++) {
    const at = days[i]! - start
    const quantity = quantities[i]!
    if (at >= 0 && at < length && quantity > 0) values[at]! += Math.min(quantity, MAX_QUANTITY)
  }
  return { asOf, values }
}

function firstSale({ days, quantities }: DemandHistory, asOf: EpochDay): EpochDay {
  let first = Infinity
  for (let i = 0; i < days.length; i++)
    if (quantities[i]! > 0 && days[i]! < first && days[i]! < asOf) first = days[i]!
  return first
}
