import { type Activity, weekNoise } from '../series/activity.ts'
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

/** What is read of a series, whose sums are without the season of its location. */
interface Known {
  year?: Year
  stepDays: Days
  length: number
  cappedSums: Float64Array
  dispersion: number
}

const YEAR: Days = 364
const WEEKS = YEAR / 7
const MOST = 3
/** A season is told by three weeks, beside the year around them. */
const SMOOTH: Days = 21
/** Variance of the season between two years: it comes back within a tenth or so. */
const REPEATS = 0.1 ** 2
/** A year counts less, the longer it is ago. */
const FADES = 0.8

/** What a series remembers of its own season: a quarter, or so many times a long horizon. */
const QUARTER: Days = 91
const LENGTHS = 4
/** Up to a month ahead levels follow a series' own season by themselves; a quarter ahead it counts in full. */
const MONTH: Days = 28

/**
 * What the year does to the demand of each of some steps, over a day of the mean: as in all years known, moved to 1 as far
 * as it may be noise or those years' own. Null where less than 20 months are known.
 */
export function seasonIndex(
  { activity, day }: Pick<Year, 'activity' | 'day'>,
  from: EpochDay,
  steps: number,
  stepDays: Days,
): Float64Array | null {
  const weeks = seasonByWeek(activity, day)
  if (!weeks) return null
  return Float64Array.from({ length: steps }, (_, t) => {
    const at = (from + (t + 0.5) * stepDays - day) / 7 - 0.5
    const week = Math.floor(at)
    const [before, after] = [weekIn(weeks, week), weekIn(weeks, week + 1)]
    return Math.exp(before + (at - week) * (after - before))
  })
}

const weekIn = (weeks: Float64Array, week: number) => weeks[((week % WEEKS) + WEEKS) % WEEKS]!

const seasons = new WeakMap<Activity, Map<EpochDay, Float64Array | null>>()

/** Logarithms of the season of each week of the year that begins with a day. */
function seasonByWeek(activity: Activity, day: EpochDay): Float64Array | null {
  let byDay = seasons.get(activity)
  if (!byDay) {
    byDay = new Map<EpochDay, Float64Array | null>()
    seasons.set(activity, byDay)
  }
  let weeks = byDay.get(day)
  if (weeks === undefined) byDay.set(day, (weeks = computeSeason(activity, day)))
  return weeks
}

function computeSeason(activity: Activity, day: EpochDay): Float64Array | null {
  const weeks = new Float64Array(WEEKS)
  let years = 0
  let variance = 0
  for (let week = 0; week < WEEKS; week++) {
    let [sum, count, weight] = [0, 0, 1]
    const first = activity.from + YEAR / 2
    for (let middle = day + 7 * week + 3.5 - YEAR; middle >= first; middle -= YEAR) {
      const season = seasonOf(activity, middle - SMOOTH / 2, SMOOTH)
      // Of the latest half year it is not known.
      if (!(season > 0)) continue
      sum += weight * Math.log(season)
      count += weight
      weight *= FADES
    }
    if (!count) return null
    weeks[week] = sum / count
    variance += weeks[week]! ** 2 / WEEKS
    years += count / WEEKS
  }
  const noise = ((totalsOf(activity).noise * 7) / SMOOTH + REPEATS) / years
  const believed = variance / (variance + noise)
  const most = Math.log(MOST)
  return weeks.map((season) => Math.min(most, Math.max(-most, believed * season)))
}

/** By how much the year raises or lowers what the methods say of a series over so many steps. */
export function yearlyFactorOf(series: Known, steps: number): number {
  const { year, stepDays } = series
  if (!year) return 1
  const index = seasonIndex(year, year.day, Math.max(1, Math.ceil(steps)), stepDays)
  const shared = index ? index.reduce((sum, each) => sum + each, 0) / index.length : 1
  return year.seasons && stepDays === 1 ? shared * ownSeason(series, year, steps) : shared
}

/**
 * What the series itself did a year ago beside the season of its location, as far as such differences came back so far and
 * chance does not make them.
 */
function ownSeason(
  { length, cappedSums, dispersion }: Known,
  { seasons, day, end, stockoutDays = 0 }: Year,
  horizon: Days,
): number {
  if (horizon <= MONTH) return 1
  const back = Math.max(QUARTER, LENGTHS * horizon)
  const lastYear = length + day - YEAR - end
  const before = lastYear - stockoutDays
  const middles = [lastYear + horizon / 2, before - back / 2].map(Math.floor) as [number, number]
  if (middles[1] < YEAR / 2) return 1
  const sum = (from: number, to: number) => cappedSums[to]! - cappedSums[from]!
  const around = (middle: number) => sum(middle - YEAR / 2, middle + YEAR / 2)
  const [ahead, behind] = [sum(lastYear, lastYear + horizon), sum(before - back, before)]
  const noise = Math.max(1, dispersion) * (1 / ahead + 1 / behind)
  const rate = (ahead / behind) * (back / horizon)
  const change = Math.log((rate * around(middles[1])) / around(middles[0]))
  if (!Number.isFinite(change + noise)) return 1
  const { repeats, passes, share } = seasons!
  const reached = Math.min(1, (horizon - MONTH) / (QUARTER - 1 - MONTH))
  const believed = (reached * share * repeats) / (repeats + passes + noise)
  return Math.min(MOST, Math.max(1 / MOST, Math.exp(believed * change)))
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
  return { sums, noise: weekNoise(weeks) }
}
