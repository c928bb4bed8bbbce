import { comingShare, promotionFactor, promotionHabit } from '../promotions.ts'
import { nthOf } from '../numeric/nth.ts'
import type { Series } from '../series.ts'
import { activityChange, yearlyFactorOf } from '../yearly.ts'

/** How many numbers describeSeries a series to the trees. */
export const FEATURES = 33

const MEANS = [7, 14, 28, 56, 91, 182, 364]
const YEAR = 364
const MONTH = 28
const QUARTER = 91
const HALF_YEAR = 182
const MOST_SUMS = 128

/**
 * Describes a series, for one horizon, by numbers that do not change with its scale, so that what one
 * series taught holds for another; NaN where the history does not reach.
 * @param horizon in steps
 * @param quantiles what the mix says, `quantiles[at..at+2]`, in multiples of the series' unit
 */
export function describeSeries(
  series: Series,
  horizon: number,
  quantiles: Float64Array,
  at: number,
  out: Float64Array,
): void {
  const { stepDays, length, cappedSums: sums, values, sales } = series
  const [p10, p50, p90] = [quantiles[at]!, quantiles[at + 1]!, quantiles[at + 2]!]
  const steps = (days: number) => Math.max(1, Math.round(days / stepDays))
  /** Mean demand of `count` steps, the last one `back` steps ago; NaN before the first one. */
  const mean = (count: number, back = 0) => {
    const to = length - back
    const from = Math.max(0, to - count)
    return to > from ? (sums[to]! - sums[from]!) / (to - from) : NaN
  }
  const reaching = (days: number) => (length >= steps(days) ? mean(steps(days)) : NaN)
  const year = Math.min(length, steps(YEAR))
  const small = 0.05 * mean(year) + 1e-9
  const season = yearlyFactorOf(series, horizon)
  const base = p50 / horizon / season
  const over = (value: number, by: number) => Math.log((value + small) / (by + small))
  const lastYear = length >= steps(YEAR) ? mean(horizon, steps(YEAR) - horizon) : NaN
  const beforeThat = mean(Math.max(steps(MONTH), horizon), steps(YEAR))
  const sale = sales ? sums[length]! / sales : 1
  const month = Math.min(length, steps(MONTH))
  const silent = silentSteps(values)
  let n = 0
  out[n++] = Math.log(p50 / sale + 0.1)
  out[n++] = (p90 - p50) / (p50 + 1)
  out[n++] = (p50 - p10) / (p50 + 1)
  for (const days of MEANS) out[n++] = over(days > MONTH ? reaching(days) : mean(steps(days)), base)
  out[n++] = over(lastYear, base)
  out[n++] = over(lastYear, beforeThat)
  out[n++] = zeros(values, month) / month
  out[n++] = zeros(values, year) / year
  out[n++] = Math.sqrt(series.dispersion / Math.max(series.mean, 1e-9))
  out[n++] = Math.log(((silent + 1) * Math.max(1, year - zeros(values, year))) / year)
  out[n++] = Math.log(length * stepDays)
  out[n++] = Math.log(meanChange(values) / sale + 1e-9)
  n = pastSums(series, horizon, (sum) => over(sum / horizon, base), out, n)
  out[n++] = over(mean(horizon), base)
  out[n++] = over(mean(month), mean(month, month))
  out[n++] =
    length >= steps(2 * QUARTER)
      ? over(mean(steps(QUARTER)), mean(steps(QUARTER), steps(QUARTER)))
      : NaN
  n = describePromotions(series, horizon, out, n)
  const [lately, before] = locationChanges(series, horizon)
  out[n++] = lately
  out[n++] = before
  out[n++] = over(mean(month), mean(steps(QUARTER))) - lately
  out[n] = Math.log(season)
}

/**
 * How far the location's activity of late is off its quarter, and that off its half year (logarithms); NaN for
 * less than a month ahead, over which they tell nothing.
 */
function locationChanges({ year, stepDays }: Series, horizon: number): [number, number] {
  if (!year || Math.round(horizon * stepDays) < MONTH) return [NaN, NaN]
  const change = (days: number, more: number) => {
    const ratio = activityChange(year, days, more)
    return ratio > 0 && ratio < Infinity ? Math.log(ratio) : NaN
  }
  return [change(MONTH, QUARTER), change(QUARTER, HALF_YEAR)]
}

function describePromotions(
  { capped, promotions }: Series,
  horizon: number,
  out: Float64Array,
  n: number,
): number {
  if (!promotions) {
    out.fill(NaN, n, n + 5)
    return n + 5
  }
  const habit = promotionHabit(capped, promotions.past)
  const coming = comingShare(promotions, horizon, habit.share)
  out[n++] = habit.share
  out[n++] = habit.recentShare - habit.share
  out[n++] = Math.log(habit.uplift)
  out[n++] = coming
  out[n++] = Number.isNaN(coming) ? NaN : Math.log(promotionFactor(habit, coming))
  return n
}

/** The largest, the ninth decile and the median of past sums over the horizon. */
function pastSums(
  { length, cappedSums }: Series,
  horizon: number,
  over: (sum: number) => number,
  out: Float64Array,
  n: number,
): number {
  if (length < horizon) {
    out.fill(NaN, n, n + 3)
    return n + 3
  }
  const stride = Math.max(1, horizon >> 2, Math.ceil((length - horizon) / MOST_SUMS))
  const count = Math.floor((length - horizon) / stride) + 1
  for (let i = 0; i < count; i++) {
    const end = length - i * stride
    past[i] = cappedSums[end]! - cappedSums[end - horizon]!
  }
  let end = count
  for (const share of [1, 0.9, 0.5]) {
    const rank = Math.min(count - 1, Math.floor(share * count))
    out[n++] = over(nthOf(past, end, rank))
    end = rank + 1
  }
  return n
}

const past = new Float64Array(MOST_SUMS + 1)

function silentSteps(values: Float64Array): number {
  let silent = 0
  while (silent < values.length && values[values.length - 1 - silent] === 0) silent++
  return silent
}

function zeros(values: Float64Array, count: number): number {
  let without = 0
  for (let t = values.length - count; t < values.length; t++) if (values[t] === 0) without++
  return without
}

function meanChange(values: Float64Array): number {
  let change = 0
  for (let t = 1; t < values.length; t++) change += Math.abs(values[t]! - values[t - 1]!)
  return change / Math.max(1, values.length - 1)
}
