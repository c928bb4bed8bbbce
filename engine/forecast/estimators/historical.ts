import { writeCountQuantiles } from '../numeric/count-quantiles.ts'
import { Sample } from '../numeric/sample.ts'
import { EVER, HALF_YEARLY_DECAY, WITHIN_A_YEAR } from '../recency-weights.ts'
import type { Series } from '../series.ts'
import { modelVariance } from './direct.ts'
import { memoizeLatest } from './memoize-latest.ts'
import { windowWeight, strideFor } from './windows.ts'

/** Weights of a past window, by the days since its end. */
const WEIGHTINGS = { recent: HALF_YEARLY_DECAY, year: WITHIN_A_YEAR, all: EVER }
export type Weighting = keyof typeof WEIGHTINGS
const ORDER: readonly Weighting[] = ['recent', 'year', 'all']

/** Smoothing constant by which the model, for want of windows, forgets. */
const MEMORY = 0.02

const sample = new Sample()
const model = new Float64Array(3)
const memo = memoizeLatest<Float64Array>()

/**
 * Quantiles of the sums of past windows under each of the three weightings: nine numbers a horizon.
 * Computed once for a series and shared by the methods.
 */
function historicalQuantiles(series: Series, horizons: readonly number[]): Float64Array {
  return memo(series, horizons, () => {
    const quantiles = new Float64Array(9 * horizons.length)
    for (let i = 0; i < horizons.length; i++) simulate(series, horizons[i]!, quantiles, 9 * i)
    return quantiles
  })
}

/** Writes the three quantiles a horizon under one weighting. */
export function writeHistorical(
  weighting: Weighting,
  series: Series,
  horizons: readonly number[],
  out: Float64Array,
): void {
  const quantiles = historicalQuantiles(series, horizons)
  const offset = 3 * ORDER.indexOf(weighting)
  for (let i = 0; i < horizons.length; i++)
    for (let j = 0; j < 3; j++) out[3 * i + j] = quantiles[9 * i + offset + j]!
}

function simulate(series: Series, horizon: number, out: Float64Array, at: number): void {
  const { length, stepDays, sums, mean } = series
  writeCountQuantiles(horizon * mean, modelVariance(series, mean, MEMORY, horizon), model, 0)
  const available = length - horizon + 1
  if (available < 1) {
    for (let i = 0; i < 9; i++) out[at + i] = model[i % 3]!
    return
  }
  const stride = strideFor(available, stepDays)
  const count = Math.ceil(available / stride)
  for (let i = 0; i < count; i++) {
    const start = length - horizon - i * stride
    sample.values[i] = sums[start + horizon]! - sums[start]!
  }
  sample.fill(count)
  for (let k = 0; k < ORDER.length; k++) {
    const weightAt = WEIGHTINGS[ORDER[k]!]
    for (let i = 0; i < count; i++) sample.weights[i] = weightAt[(i * stride * stepDays) | 0]!
    sample.quantiles(out, at + 3 * k)
  }
  const share = windowWeight(length, horizon)
  for (let i = 0; i < 9; i++) out[at + i]! += (1 - share) * (model[i % 3]! - out[at + i]!)
}
