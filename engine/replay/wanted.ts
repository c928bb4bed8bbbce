import type { Days, Units } from '../types.ts'
import type { OwnPath } from './own-path.ts'

/** Days before the first one that are looked at too. */
export const DAYS_BEFORE: Days = 56
const FARTHEST: Days = 56

/** What was wanted by day, and how much of it nobody could buy. */
export interface Wanted {
  units: Float64Array
  /** Units of it that are taken from other days. */
  estimated: Units
  /** Days without stock of which nothing can be told; they count with what was sold. */
  unknownDays: Days
}

/**
 * Demand of days without stock, which no sales show: that of the same weekday nearest before or after it, in turn by weeks, on
 * which there was stock in the morning; never less than was sold.
 * @param sold from `DAYS_BEFORE` days before the first one
 */
export function wantedDemand(sold: Float64Array, path: OwnPath, waits: boolean): Wanted {
  const days = sold.length - DAYS_BEFORE
  const units = sold.slice(DAYS_BEFORE)
  const wanted = { units, estimated: 0, unknownDays: 0 }
  if (waits) return wanted
  for (let day = 0; day < days; day++) {
    if (path.net[day + 1]! > 0) continue
    const usual = donorOf(sold, path, day)
    if (usual === null) wanted.unknownDays++
    else if (usual > units[day]!) {
      wanted.estimated += usual - units[day]!
      units[day] = usual
    }
  }
  return wanted
}

/** Whether something could be sold. */
const hadStock = ({ net, arrivals }: OwnPath, day: Days) =>
  day < 0 || net[day]! > 0 || arrivals[day]! > 0

function donorOf(sold: Float64Array, path: OwnPath, day: Days): Units | null {
  const first = Math.floor(day / 7) % 2 ? 1 : -1
  for (let weeks = 1; 7 * weeks <= FARTHEST; weeks++)
    for (const side of [first, -first]) {
      const at = day + side * 7 * weeks
      if (at + DAYS_BEFORE < 0 || at + DAYS_BEFORE >= sold.length) continue
      if (hadStock(path, at)) return sold[at + DAYS_BEFORE]!
    }
  return null
}
