// Whether demand is booked by week or month, told from the days on which anything is booked.
import type { Days, DemandHistory, EpochDay } from '../types.ts'
import {
  indexOf,
  isOnSchedule,
  likeliest,
  offSchedule,
  type Posting,
  stepDaysOf,
} from './posting.ts'
import { unitsOf } from './quantity.ts'

const FEWEST_POSTINGS = { week: 8, month: 4 }
/** Share of the bookings that must keep to the schedule, and of weekly ones to its very day. */
const ON_SCHEDULE = 0.95
const ON_THE_DAY = { week: 0.7, month: 0.4 }
/** Days on which a period is booked, at most in the mean. */
const DAYS_A_PERIOD = { week: 1.3, month: 2.5 }
/** How probable such a schedule may be by chance. */
const BY_CHANCE = { location: 1e-4, series: 1e-7, companion: 0.05 }
/** So many months are enough where so many SKUs are booked in each, on one day and on no other. */
const FEW = { months: 3, skus: 10, chance: 0.03 }
/** Looked at where the whole past keeps to none: what is booked now is what counts. */
const LATEST: readonly Days[] = [365, 190, 95]
const EVERY = ['month', 'week'] as const

/**
 * The schedule of a location, from all that is booked there.
 * @param days on which anything was booked, ascending and unique
 * @param weights how much on each of them
 */
export function detectPosting(days: Int32Array, weights?: ArrayLike<number>): Posting | null {
  const whole = scheduleOf(days, weights)
  if (whole || days.length < FEW.months) return whole
  const end = days[days.length - 1]! + 1
  for (const length of LATEST) {
    const from = days.findIndex((day) => day >= end - length)
    if (from < 1) continue
    const latest = scheduleOf(days.subarray(from), weights && Array.from(weights).slice(from))
    if (latest) return latest
  }
  return null
}

function scheduleOf(days: Int32Array, weights?: ArrayLike<number>): Posting | null {
  for (const every of EVERY) {
    const isFew = every === 'month' && isOfMany(days, weights)
    const fewest = isFew ? FEW.months : FEWEST_POSTINGS[every]
    if (days.length < fewest) return null
    const posting = likeliest(every, days, weights)
    if (posting.share < ON_THE_DAY[every]) continue
    const { kept, periods, all, chance } = keepingTo(posting, days, weights)
    if (kept < ON_SCHEDULE * all) continue
    if (periods < fewest || days.length > DAYS_A_PERIOD[every] * periods) continue
    if (chance <= (isFew ? FEW.chance : BY_CHANCE.location))
      return { every, on: posting.on, until: days[days.length - 1]! }
  }
  return null
}

/** Whether these are three days only, and as many SKUs are booked on each as sell on no three days by chance. */
const isOfMany = (days: Int32Array, weights: ArrayLike<number> = []) =>
  days.length === FEW.months && days.every((_, i) => weights[i]! >= FEW.skus)

interface Keeping {
  /** Weight of what is booked on schedule, and in all. */
  kept: number
  all: number
  periods: number
  /** How probable it is that days without any schedule lie so close to one. */
  chance: number
}

function keepingTo(posting: Posting, days: ArrayLike<EpochDay>, weights?: ArrayLike<number>) {
  const found: Keeping = { kept: 0, all: 0, periods: 0, chance: 1 }
  let [least, most, before] = [0, 0, NaN]
  for (let i = 0; i < days.length; i++) {
    const weight = weights?.[i] ?? 1
    found.all += weight
    if (!isOnSchedule(posting, days[i]!)) continue
    const off = offSchedule(posting, days[i]!)
    found.kept += weight
    least = Math.min(least, off)
    most = Math.max(most, off)
    const index = indexOf(posting, days[i]!)
    if (index !== before) found.periods++
    before = index
  }
  const length = stepDaysOf(posting)
  found.chance = length * ((most - least + 1) / length) ** found.periods
  return found
}

/**
 * The schedule of one series, from its own bookings, where they are too regular for chance; with those of others in its
 * location fewer are enough.
 * @param others schedules that some series of the location keep to
 */
export function detectSeriesPosting(
  { days, quantities }: Pick<DemandHistory, 'days' | 'quantities'>,
  asOf: EpochDay,
  others: readonly Posting[] = [],
): Posting | null {
  const sold = soldDays(days, quantities, asOf)
  if (!sold) return null
  for (const other of others) {
    if (!sold.every((day) => isOnSchedule(other, day))) continue
    const { periods, chance } = keepingTo(other, sold)
    const isOne = chance / stepDaysOf(other) <= BY_CHANCE.companion
    if (isOne && sold.length <= DAYS_A_PERIOD[other.every] * periods) return other
  }
  for (const every of EVERY) {
    if (sold.length < FEWEST_POSTINGS[every]) continue
    const posting = likeliest(every, sold)
    if (posting.share < ON_THE_DAY[every]) continue
    const { kept, all, periods, chance } = keepingTo(posting, sold)
    if (kept < ON_SCHEDULE * all || sold.length > DAYS_A_PERIOD[every] * periods) continue
    if (periods >= FEWEST_POSTINGS[every] && chance <= BY_CHANCE.series)
      return { every, on: posting.on }
  }
  return null
}

/** Days with demand, ascending; null where they are too many, or none, for a schedule. */
function soldDays(days: Int32Array, quantities: Float64Array, asOf: EpochDay): EpochDay[] | null {
  let first = Infinity
  for (let i = 0; i < days.length && first === Infinity; i++)
    if (quantities[i]! > 0) first = days[i]!
  const most = ((asOf - first) / 7) * DAYS_A_PERIOD.week + 2
  const sold: EpochDay[] = []
  for (let i = 0; i < days.length; i++) {
    if (days[i]! >= asOf || unitsOf(quantities[i]!) === 0) continue
    if (sold.length > most) return null
    sold.push(days[i]!)
  }
  return sold.length ? sold : null
}
