import type { Sample } from '../numeric/sample.ts'
import { YEARLY_DECAY } from '../recency-weights.ts'
import type { Series } from '../series.ts'
import { MAX_WINDOWS, strideFor } from './windows.ts'

/** Writes the level before each step and, last, after the series: `path[0..length]`. */
export type LevelPath = (series: Series, constant: number, path: Float64Array) => void

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
const MAX_PATHS = 8
const paths = Array.from({ length: MAX_PATHS }, () => new Float64Array(MAX_STEPS + 1))
const starts = new Int32Array(MAX_WINDOWS)
const sums = new Float64Array(MAX_WINDOWS)
const weights = new Float64Array(MAX_WINDOWS)

/**
 * Fits a level by the recency-weighted squared error of the sum over each horizon: one constant that
 * is good one step ahead is far too quick for a sum of 90 (forecasting by the h-sum).
 * Calls `done` once for each horizon.
 * @param errors gets the errors of the windows at the present level, and their weights, before `done`
 */
export function fitLevels(
  series: Series,
  levelPath: LevelPath,
  constants: readonly number[],
  horizons: readonly number[],
  done: (fit: LevelFit, index: number) => void,
  errors?: Sample,
): void {
  const perStep = constants.map((constant) => constantFor(constant, series.stepDays))
  perStep.forEach((constant, i) => levelPath(series, constant, paths[i]!))
  horizons.forEach((horizon, index) => {
    const windows = collectWindows(series, horizon)
    const best = windows ? bestPath(constants.length, horizon, windows) : constants.length >> 1
    const path = paths[best]!
    const variance = measure(series, path, horizon, windows, errors)
    const level = path[series.length]!
    done({ level, constant: perStep[best]!, variance, windows }, index)
  })
}

/** A constant for days made one for longer steps, a little slower than as many days would be. */
const constantFor = (constant: number, stepDays: number) =>
  stepDays === 1 ? constant : 1 - (1 - constant) ** (stepDays ** 0.8)

/** Newest first, so that the last window ends with the series. */
function collectWindows({ length, stepDays, cappedSums }: Series, horizon: number): number {
  const warmUp = Math.min(Math.ceil(28 / stepDays), Math.max(1, length >> 2))
  const available = length - horizon - warmUp + 1
  if (available < 2) return 0
  const stride = strideFor(available, stepDays)
  let count = 0
  for (let t = length - horizon; t >= warmUp; t -= stride) {
    starts[count] = t
    sums[count] = cappedSums[t + horizon]! - cappedSums[t]!
    weights[count++] = YEARLY_DECAY[((length - horizon - t) * stepDays) | 0]!
  }
  return count
}

function bestPath(count: number, horizon: number, windows: number): number {
  let best = 0
  let least = Infinity
  for (let p = 0; p < count; p++) {
    const path = paths[p]!
    let squares = 0
    for (let i = 0; i < windows; i++) {
      const error = sums[i]! - horizon * path[starts[i]!]!
      squares += weights[i]! * error * error
    }
    if (squares < least) {
      least = squares
      best = p
    }
  }
  return best
}

/**
 * Errors grow with the level: each is rescaled from the level of its day to the present one, both
 * drawn half-way to the mean, which keeps the ratio sane where a level was near zero.
 */
function measure(
  series: Series,
  path: Float64Array,
  horizon: number,
  windows: number,
  sample?: Sample,
): number {
  if (!windows) return NaN
  const { mean, sums: before } = series
  const present = path[series.length]! + mean
  let squares = 0
  let total = 0
  for (let i = 0; i < windows; i++) {
    const t = starts[i]!
    const level = path[t]!
    const error = before[t + horizon]! - before[t]! - horizon * level
    const rescaled = (error * present) / (level + mean)
    squares += weights[i]! * rescaled * rescaled
    total += weights[i]!
    if (sample) {
      sample.values[i] = rescaled
      sample.weights[i] = weights[i]!
    }
  }
  return squares / total
}
