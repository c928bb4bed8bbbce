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
 * Demand of days without stock, which no sales show. A day on which the stock ran out takes what was wanted on the nearest day
 * that sold as much or more, of the same weekday where there is one: where that ran out as well, what this gives for it. A day without
 * stock in the morning takes what was wanted on the same weekday nearest before or after it, in turn by weeks, on which there
 * was stock in the morning. Never less than was sold.
 *
 * Source: Efron, The two sample problem with censored data, Proc. 5th Berkeley Symposium 4, 1967: what is censored is spread
 * over the observations to its right, which gives the product-limit estimate of Kaplan and Meier.
 * @param sold from `DAYS_BEFORE` days before the first one
 */
export function wantedDemand(sold: Float64Array, path: OwnPath, waits: boolean): Wanted {
  const days = sold.length - DAYS_BEFORE
  if (waits) return { units: sold.slice(DAYS_BEFORE), estimated: 0, unknownDays: 0 }
  const all = sold.slice()
  const found = { units: all.subarray(DAYS_BEFORE), estimated: 0, unknownDays: 0 }
  const empty = Array.from({ length: days }, (_, day) => day).filter(
    (day) => path.net[day + 1]! <= 0,
  )
  const soldOn = (day: Days) => sold[day + DAYS_BEFORE]!
  const wantedOn = (day: Days) => all[day + DAYS_BEFORE]!
  const ranOut = empty
    .filter((day) => hadStock(path, day))
    .sort((a, b) => soldOn(b) - soldOn(a) || a - b)
  for (const day of ranOut) {
    // What ran out with as much sold has been wanted as much at least; what did not, as much.
    const soldMore = (at: Days) =>
      hadStock(path, at) &&
      (isLeft(path, at) ? soldOn(at) >= soldOn(day) : soldOn(at) > soldOn(day))
    const donor = nearestDay(sold, day, 7, soldMore) ?? nearestDay(sold, day, 1, soldMore)
    if (donor !== null) take(day, wantedOn(donor))
  }
  for (const day of empty) {
    if (hadStock(path, day)) continue
    const donor = nearestDay(sold, day, 7, (at) => hadStock(path, at))
    if (donor === null) found.unknownDays++
    else take(day, wantedOn(donor))
  }
  return found

  function take(day: Days, units: Units) {
    found.estimated += Math.max(0, units - soldOn(day))
    all[day + DAYS_BEFORE] = Math.max(soldOn(day), units)
  }
}

/** Whether something could be sold. */
const hadStock = ({ net, arrivals }: OwnPath, day: Days) =>
  day < 0 || net[day]! > 0 || arrivals[day]! > 0

/** Whether some was left in the evening. */
const isLeft = ({ net }: OwnPath, day: Days) => day < 0 || net[day + 1]! > 0

/** The nearest of the days so many steps away, before and after it in turn, that will do. */
function nearestDay(
  sold: Float64Array,
  day: Days,
  step: Days,
  willDo: (day: Days) => boolean,
): Days | null {
  const first = Math.floor(day / 7) % 2 ? 1 : -1
  for (let away = step; away <= FARTHEST; away += step)
    for (const side of [first, -first]) {
      const at = day + side * away
      if (at + DAYS_BEFORE >= 0 && at + DAYS_BEFORE < sold.length && willDo(at)) return at
    }
  return null
}
