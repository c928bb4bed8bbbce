import type { Activity } from '../series/activity.ts'
import type { Days, EpochDay } from '../types.ts'

/** What a location does in a year, as far as it is known before a day. */
export interface Year {
  activity: Activity
  /** The day that the forecast is made as of. */
  day: EpochDay
  /** The first day that nothing is known of: that day, or before it where rows are still to come. */
  end: EpochDay
  /** Days before it that the series does not know, for want of stock. */
  stockoutDays?: Days
}

const YEAR: Days = 364
/** What the level remembers: a quarter, or so many times a long horizon. */
const QUARTER: Days = 91
const LENGTHS = 4
const MOST = 3
/** Variance of the season between two years: it comes back within a tenth or so. */
const REPEATS = 0.1 ** 2

/**
 * The season of the days to come over that of the days behind, as they were a year ago; each beside the
 * year around it, so that growth is no season. Moved to 1 as far as the difference may be noise or this
 * one year's own; 1 where less than 20 months are known.
 */
export function yearlyFactor({ activity, day, stockoutDays = 0 }: Year, horizon: Days): number {
  const lastYear = day - YEAR
  const back = Math.max(QUARTER, LENGTHS * horizon)
  const ahead = seasonOf(activity, lastYear, horizon)
  const behind = seasonOf(activity, lastYear - stockoutDays - back, back)
  if (!(ahead > 0 && behind > 0)) return 1
  const change = Math.log(ahead / behind)
  const noise = totalsOf(activity).noise * (7 / Math.max(7, horizon) + 7 / back)
  const believed = (change * change) / (change * change + noise + REPEATS)
  return Math.min(MOST, Math.max(1 / MOST, Math.exp(believed * change)))
}

/** By how much the year raises or lowers what the methods say of a series over so many steps. */
export const yearlyFactorOf = (
  { year, stepDays }: { year?: Year; stepDays: Days },
  steps: number,
): number => (year ? yearlyFactor(year, steps * stepDays) : 1)

/**
 * Activity a day of the latest `days` over that of the latest `more`, in whole weeks that are known to
 * their end; NaN where there are not so many.
 */
export function activityChange({ activity, end }: Year, days: Days, more: Days): number {
  const { sums } = totalsOf(activity)
  const week = Math.floor((end - activity.from) / 7)
  const mean = (length: Days) => (sums[week]! - sums[week - length / 7]!) / length
  return mean(days) / mean(more)
}

/** Activity of the days from `from` on over that of the year around them; NaN where it is not known. */
function seasonOf(activity: Activity, from: EpochDay, length: Days): number {
  const middle = from + length / 2
  const around = between(activity, middle - YEAR / 2, middle + YEAR / 2)
  return between(activity, from, from + length) / length / (around / YEAR)
}

function between(activity: Activity, from: number, to: number): number {
  const { sums } = totalsOf(activity)
  const upTo = (day: number) => {
    const at = (day - activity.from) / 7
    const week = Math.floor(at)
    if (week < 0 || week >= sums.length - 1) return NaN
    return sums[week]! + (at - week) * (sums[week + 1]! - sums[week]!)
  }
  return upTo(to) - upTo(from)
}

interface ActivityTotals {
  /** Activity before each week. */
  sums: Float64Array
  /** Variance of a week over its squared mean, as far as neither trend nor season tells it. */
  noise: number
}

const memo = new WeakMap<Activity, ActivityTotals>()

function totalsOf(activity: Activity): ActivityTotals {
  let totals = memo.get(activity)
  if (!totals) memo.set(activity, (totals = computeTotals(activity)))
  return totals
}

function computeTotals({ weeks }: Activity): ActivityTotals {
  const sums = new Float64Array(weeks.length + 1)
  weeks.forEach((week, i) => (sums[i + 1] = sums[i]! + week))
  const mean = sums[weeks.length]! / weeks.length
  let squares = 0
  for (let i = 1; i < weeks.length - 1; i++)
    squares += (weeks[i + 1]! - 2 * weeks[i]! + weeks[i - 1]!) ** 2 / 6
  return { sums, noise: squares / Math.max(1, weeks.length - 2) / (mean * mean) }
}
