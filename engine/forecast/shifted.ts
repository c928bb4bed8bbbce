// A level that has changed: weeks that lie far outside all that the past of a series has seen. The methods have learnt where
// levels return, as they mostly do, and take even such weeks for chance.
import type { Days } from '../types.ts'
import {
  type Distribution,
  probabilityWithin,
  quantileOf,
  root,
  USUAL_TAIL,
} from './distribution.ts'
import { distributionAt, type MovableForecast, scaleAmounts } from './ended.ts'
import { Z90 } from './numeric/forecast-quantiles.ts'
import { normalCdf } from './numeric/normal-cdf.ts'
import type { Series } from './series.ts'
import { yearlyFactorOf } from './yearly.ts'

/** How long ago a level may have changed. */
const AGES: readonly Days[] = [14, 28, 42, 56, 84, 112]
/** A younger change says that a forecast is not sure, and not more: most rises of four weeks are promotions of which nobody has told. */
const FOLLOWED = { fall: 28, rise: 42 }
/** Windows of the past that the latest weeks are held against, over so long, and so many at least. */
const WINDOW: Days = 28
const LOOK_BACK: Days = 730
const FEWEST_WINDOWS = 8
/** Methods follow a smaller change by themselves. */
const CHANGE = 1.5
/** Levels change so for good after so many days, in the mean. */
const LIFE: Days = 3600
/** Nothing is moved for a lesser chance. */
const SURE = 0.5
/** A changed level is as sure to stay for good as this; else for about as long as it has lasted. */
const STAYS = 0.5

/** What a level is since it changed. */
export interface Shift {
  /** Demand a step, in the series' unit and without the season. */
  rate: number
  /** Variance over mean of a step's demand. */
  dispersion: number
  /** Steps since then, about. */
  age: number
  isRise: boolean
  /** That the change is not of chance. */
  chance: number
}

/** The change that the latest weeks show; null where the past has seen the like. */
export function shiftOf(series: Series): Shift | null {
  let surest: Shift | null = null
  for (const days of AGES) {
    const shift = shiftSince(series, Math.round(days / series.stepDays))
    if (shift && shift.chance >= (surest?.chance ?? SURE)) surest = shift
  }
  return surest
}

/** Whether a change is old enough for a forecast to follow it. */
export const isFollowed = ({ age, isRise }: Shift, { stepDays }: Series): boolean =>
  Math.round(age * stepDays) >= (isRise ? FOLLOWED.rise : FOLLOWED.fall)

/** With promotions and without: what they do is no change of the level, and days that are not named are no base. */
function shiftSince(series: Series, age: number): Shift | null {
  const { promotions } = series
  const withAll = shiftWithout(series, age, null)
  return withAll && promotions ? shiftWithout(series, age, promotions.past) : withAll
}

/** @param left steps that are left out */
function shiftWithout(series: Series, age: number, left: Uint8Array | null): Shift | null {
  const { length, stepDays } = series
  const [since, middle] = [length - age, length - Math.floor(age / 2)]
  const past = pastRoots(series, since, left)
  const rate = rateIn(series, left, since, length)
  if (past.length < FEWEST_WINDOWS || !(rate > 0)) return null
  const { mean, deviation } = momentsOf(past)
  const usual = mean ** 2
  const isRise = rate > usual
  const hasChanged = (recent: number) => (isRise ? recent / usual : usual / recent) >= CHANGE
  if (!hasChanged(rateIn(series, left, since, middle))) return null
  if (!hasChanged(rateIn(series, left, middle, length))) return null
  const shorter = Math.max(1, WINDOW / (age * stepDays))
  const spread =
    Math.max(deviation, leastDeviation(stepDays)) * Math.sqrt(shorter + 1 / past.length)
  const t = Math.abs(Math.sqrt(rate) - mean) / spread
  const byChance = 2 * (1 - normalCdf(normalOf(t, past.length - 1))) * AGES.length
  const prior = (age * stepDays) / LIFE
  // The change may have come a little later than the window begins. Of silence, and where most days had promotions, it tells nothing.
  const latest = length - Math.max(Math.round(WINDOW / stepDays), length - middle)
  const latestRate = rateIn(series, left, latest, length)
  if (!(latestRate > 0)) return null
  const dispersion = dispersionIn(series, latest)
  return { rate: latestRate, dispersion, age, isRise, chance: prior / (prior + byChance) }
}

/** Roots of the rates of the windows before a step, the latest first: about as far apart at each level. */
function pastRoots(series: Series, since: number, left: Uint8Array | null): number[] {
  const window = Math.round(WINDOW / series.stepDays)
  const first = Math.max(0, since - LOOK_BACK / series.stepDays)
  const roots: number[] = []
  for (let from = since - window; from >= first; from -= window) {
    const rate = rateIn(series, left, from, from + window)
    if (Number.isFinite(rate)) roots.push(Math.sqrt(rate))
  }
  return roots
}

/** That of a window's root where demand is Poisson. */
const leastDeviation = (stepDays: Days) => 0.5 / Math.sqrt(WINDOW / stepDays)

function momentsOf(values: readonly number[]) {
  const mean = values.reduce((sum, each) => sum + each, 0) / values.length
  const squares = values.reduce((sum, each) => sum + (each - mean) ** 2, 0)
  return { mean, deviation: Math.sqrt(squares / (values.length - 1)) }
}

/** The standard normal that is as far out as a Student's t. Source: Wallace, Bounds on normal approximations, 1959. */
const normalOf = (t: number, freedom: number) =>
  ((8 * freedom + 1) / (8 * freedom + 3)) * Math.sqrt(freedom * Math.log1p((t * t) / freedom))

/** Demand a step, without those that are left out; NaN where these are most. */
function rateIn(series: Series, left: Uint8Array | null, from: number, to: number): number {
  const { cappedSums, capped } = series
  if (!left) return (cappedSums[to]! - cappedSums[from]!) / (to - from)
  let [sum, steps] = [0, 0]
  for (let t = from; t < to; t++) {
    if (left[t]) continue
    sum += capped[t]!
    steps++
  }
  return steps > (to - from) / 2 ? sum / steps : NaN
}

function dispersionIn({ capped, length }: Series, from: number): number {
  let [sum, squares] = [0, 0]
  for (let t = from; t < length; t++) {
    sum += capped[t]!
    squares += capped[t]! ** 2
  }
  const mean = sum / (length - from)
  return Math.max(1, (squares / (length - from) - mean ** 2) / mean)
}

/** Moves a forecast, in place, to what it is where the level stays as it has become with some probability, the less the longer. */
export function moveToShift(
  shift: Shift,
  series: Series,
  { stepCounts, quantiles, amounts, p75 }: MovableForecast,
) {
  const { age, chance } = shift
  stepCounts.forEach((steps, i) => {
    const before = distributionAt(quantiles, i)
    const { p50 } = before
    const promotion = amounts?.promotion?.[i] ?? 0
    const since = shiftedDistribution(shift, series, steps, before, p50 / (p50 - promotion))
    const stays = chance * (1 - ((1 - STAYS) * steps) / (age + steps))
    const at = (level: number) => mixedQuantile(since, before, stays, level)
    quantiles.set([at(0.1), at(0.5), at(0.9)], 3 * i)
    if (p75) p75[i] = at(0.75)
    scaleAmounts(amounts, i, p50 > 0 ? quantiles[3 * i + 1]! / p50 : 0)
  })
}

/**
 * What comes at the new level: as far around it as was said of the former one, or as far as chance alone makes it.
 * @param promoted by how much planned promotions raise it
 */
function shiftedDistribution(
  { rate, dispersion, age }: Shift,
  series: Series,
  steps: number,
  { p10, p50, p90 }: Distribution,
  promoted: number,
): Distribution {
  const factor = yearlyFactorOf(series, steps) * (Number.isFinite(promoted) ? promoted : 1)
  const middle = rate * steps * series.unit * factor
  const variance = dispersion * series.unit * middle * (1 + steps / age)
  const byChance = Math.sqrt(variance) / (4 * middle)
  const around = (quantile: number) => {
    const said = p50 > 0 ? Math.abs(root(quantile) / root(p50) - 1) / Z90 : 0
    // Of more demand a range is a smaller part.
    return Z90 * Math.max(byChance, said * Math.sqrt(Math.min(1, p50 / middle)))
  }
  const least = Math.max(0, 1 - around(p10))
  return {
    p10: middle * least ** 4,
    p50: middle,
    p90: middle * (1 + around(p90)) ** 4,
    tail: USUAL_TAIL,
  }
}

const PRECISION = 40

/** A quantile where the first distribution is true with probability `weight`, and else the second. */
function mixedQuantile(
  first: Distribution,
  second: Distribution,
  weight: number,
  level: number,
): number {
  const ends = [quantileOf(first, level), quantileOf(second, level)]
  let [low, high] = [Math.min(...ends), Math.max(...ends)]
  for (let i = 0; i < PRECISION; i++) {
    const middle = (low + high) / 2
    const other = (1 - weight) * probabilityWithin(second, middle)
    if (weight * probabilityWithin(first, middle) + other < level) low = middle
    else high = middle
  }
  return high
}
