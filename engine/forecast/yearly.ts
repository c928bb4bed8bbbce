import type { Activity } from '../series/activity.ts'
import type { SeasonSpread } from '../series/season-spread.ts'
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
  /** How far its SKUs differ; absent where they do not. */
  seasons?: SeasonSpread | null
}

/** What is read of a series. */
interface Known {
  year?: Year
  stepDays: Days
  length: number
  cappedSums: Float64Array
  dispersion: number
}

const YEAR: Days = 364
/** What the level remembers: a quarter, or so many times a long horizon. */
const QUARTER: Days = 91
const LENGTHS = 4
const MOST = 3
/** Up to a month ahead levels follow a series' own season by themselves; a quarter ahead it counts in full. */
const MONTH: Days = 28
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
export function yearlyFactorOf(series: Known, steps: number): number {
  const { year, stepDays } = series
  if (!year) return 1
  const shared = yearlyFactor(year, steps * stepDays)
  return year.seasons && stepDays === 1 ? withOwnSeason(series, year, steps, shared) : shared
}

/**
 * The location's factor, moved to what the series itself did a year ago as far as such differences came back so far and
 * chance does not make them.
 */
function withOwnSeason(
  { length, cappedSums, dispersion }: Known,
  { seasons, day, end, stockoutDays = 0 }: Year,
  horizon: Days,
  shared: number,
): number {
  if (horizon <= MONTH) return shared
  const back = Math.max(QUARTER, LENGTHS * horizon)
  const lastYear = length + day - YEAR - end
  const before = lastYear - stockoutDays
  const middles = [lastYear + horizon / 2, before - back / 2].map(Math.floor) as [number, number]
  if (middles[1] < YEAR / 2) return shared
  const sum = (from: number, to: number) => cappedSums[to]! - cappedSums[from]!
  const around = (middle: number) => sum(middle - YEAR / 2, middle + YEAR / 2)
  const [ahead, behind] = [sum(lastYear, lastYear + horizon), sum(before - back, before)]
  const noise = Math.max(1, dispersion) * (1 / ahead + 1 / behind)
  const rate = (ahead / behind) * (back / horizon)
  const change = Math.log((rate * around(middles[1])) / around(middles[0]))
  if (!Number.isFinite(change + noise)) return shared
  const { repeats, passes, share } = seasons!
  const reached = Math.min(1, (horizon - MONTH) / (QUARTER - 1 - MONTH))
  const believed = (reached * share * repeats) / (repeats + passes + noise)
  const factor = Math.exp(Math.log(shared) + believed * (change - Math.log(shared)))
  return Math.min(MOST, Math.max(1 / MOST, factor))
}

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
