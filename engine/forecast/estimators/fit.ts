import type { Sample } from '../numeric/sample.ts'
import { memoizeLatest } from './memoize-latest.ts'
import { YEARLY_DECAY } from '../recency-weights.ts'
import type { Series } from '../series.ts'
import { MAX_WINDOWS, strideFor } from './windows.ts'

/**
 * Writes the level before each step and, last, after the series, for each constant: `paths[t × constants + i]` for t of
 * 0..length. Side by side, since a level waits for the one before it.
 */
export type LevelPaths = (series: Series, constants: Float64Array, paths: Float64Array) => void

/** The best level for one horizon and how far the sums of past windows were from it. */
export interface LevelFit {
  /** Demand a step. */
  level: number
  constant: number
  /** Mean squared error of the window's sum, at the present level; NaN where there is no window. */
  variance: number
  windows: number
}

const MAX_STEPS = 730
/** Constants that a method may choose from. */
export const MOST_PATHS = 8
const paths = new Float64Array((MAX_STEPS + 1) * MOST_PATHS)

/** Past windows of one horizon, newest first, so that the last window ends with the series. */
class Windows {
  count = 0
  readonly starts = new Int32Array(MAX_WINDOWS)
  readonly sums = new Float64Array(MAX_WINDOWS)
  readonly weights = new Float64Array(MAX_WINDOWS)

  collect({ length, stepDays, cappedSums }: Series, horizon: number): void {
    this.count = 0
    const warmUp = Math.min(Math.ceil(28 / stepDays), Math.max(1, length >> 2))
    const available = length - horizon - warmUp + 1
    if (available < 2) return
    const stride = strideFor(available, stepDays)
    const { starts, sums, weights } = this
    let count = 0
    for (let t = length - horizon; t >= warmUp; t -= stride) {
      starts[count] = t
      sums[count] = cappedSums[t + horizon]! - cappedSums[t]!
      weights[count++] = YEARLY_DECAY[((length - horizon - t) * stepDays) | 0]!
    }
    this.count = count
  }
}

const memo = memoizeLatest<Windows[]>()
const windowsByHorizon: Windows[] = []

/** Collected once for a series and shared by the methods. */
const windowsOf = (series: Series, horizons: readonly number[]): readonly Windows[] =>
  memo(series, horizons, () => {
    horizons.forEach((horizon, i) =>
      (windowsByHorizon[i] ??= new Windows()).collect(series, horizon),
    )
    return windowsByHorizon
  })

/**
 * Fits a level by the recency-weighted squared error of the sum over each horizon: one constant that
 * is good one step ahead is far too quick for a sum of 90 (forecasting by the h-sum).
 * Calls `done` once for each horizon.
 * @param errors gets the errors of the windows at the present level, and their weights, before `done`
 */
export function fitLevels(
  series: Series,
  levelPaths: LevelPaths,
  constants: readonly number[],
  horizons: readonly number[],
  done: (fit: LevelFit, index: number) => void,
  errors?: Sample,
): void {
  const perStep = Float64Array.from(constants, (constant) => constantFor(constant, series.stepDays))
  const count = perStep.length
  levelPaths(series, perStep, paths)
  const windows = windowsOf(series, horizons)
  horizons.forEach((horizon, index) => {
    const past = windows[index]!
    const best = past.count ? bestPath(count, horizon, past) : count >> 1
    const variance = measure(series, count, best, horizon, past, errors)
    const level = paths[series.length * count + best]!
    done({ level, constant: perStep[best]!, variance, windows: past.count }, index)
  })
}

/** A constant for days made one for longer steps, a little slower than as many days would be. */
const constantFor = (constant: number, stepDays: number) =>
  stepDays === 1 ? constant : 1 - (1 - constant) ** (stepDays ** 0.8)

const squares = new Float64Array(MOST_PATHS)

function bestPath(
  pathCount: number,
  horizon: number,
  { count, starts, sums, weights }: Windows,
): number {
  squares.fill(0)
  for (let w = 0; w < count; w++) {
    const first = starts[w]! * pathCount
    const sum = sums[w]!
    const weight = weights[w]!
    for (let p = 0; p < pathCount; p++) {
      const error = sum - horizon * paths[first + p]!
      squares[p]! += weight * error * error
    }
  }
  let best = 0
  let least = Infinity
  for (let p = 0; p < pathCount; p++) {
    if (!(squares[p]! < least)) continue
    least = squares[p]!
    best = p
  }
  return best
}

/**
 * Errors grow with the level: each is rescaled from the level of its day to the present one, both
 * drawn half-way to the mean, which keeps the ratio sane where a level was near zero.
 */
function measure(
  series: Series,
  pathCount: number,
  path: number,
  horizon: number,
  { count, starts, weights }: Windows,
  sample?: Sample,
): number {
  if (!count) return NaN
  const { mean, sums: before } = series
  const present = paths[series.length * pathCount + path]! + mean
  let errors = 0
  let total = 0
  for (let i = 0; i < count; i++) {
    const t = starts[i]!
    const level = paths[t * pathCount + path]!
    const error = before[t + horizon]! - before[t]! - horizon * level
    const rescaled = (error * present) / (level + mean)
    errors += weights[i]! * rescaled * rescaled
    total += weights[i]!
    if (sample) {
      sample.values[i] = rescaled
      sample.weights[i] = weights[i]!
    }
  }
  return errors / total
}
