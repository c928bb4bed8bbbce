import type { PastWindows } from '../calibration/past-windows.ts'
import { FORECAST_QUANTILES } from '../numeric/forecast-quantiles.ts'
import type { Days } from '../../types.ts'
import { binOf, edgesOf } from './bins.ts'
import { type BoostedHorizon, mixQuantiles, rangeWidth } from './boosting.ts'
import { describeSeries, FEATURES } from './features.ts'
import { growTrees, type TrainingSet } from './trees.ts'

/** With fewer past windows the trees would learn noise. */
const FEWEST_WINDOWS = 200
/** Windows at which the trees move a quantile half as far as they would. */
const HALF_SHARE = 400
/** Steps of the golden ratio spread the counts evenly within their unit, the same way every time. */
const GOLDEN = 0.6180339887498949

/** Learns by how much the mix was off in past windows; null where they are too few. */
export function trainBoosting(
  windows: PastWindows,
  weights: readonly number[],
  horizon: Days,
): BoostedHorizon | null {
  const { count, evidence } = windows
  if (evidence < FEWEST_WINDOWS) return null
  const mix = new Float64Array(3 * count)
  const described = describeAll(windows, weights, mix)
  const edges = Array.from({ length: FEATURES }, (_, f) =>
    edgesOf(described.subarray(f * count, (f + 1) * count)),
  )
  const columns = edges.map((own, f) =>
    Uint8Array.from(described.subarray(f * count, (f + 1) * count), (value) => binOf(own, value)),
  )
  const levels = FORECAST_QUANTILES.map((level, j) =>
    growTrees(trainingSetOf(windows, mix, j, columns), level),
  )
  return { horizon, edges, levels, share: evidence / (evidence + HALF_SHARE), windows: count }
}

/** Features by column, and the mix by window in multiples of its series' unit. */
function describeAll(
  windows: PastWindows,
  weights: readonly number[],
  mix: Float64Array,
): Float64Array {
  const { count, quantiles, width } = windows
  const all = new Float64Array(FEATURES * count)
  const features = new Float64Array(FEATURES)
  const one = new Float64Array(3)
  for (let w = 0; w < count; w++) {
    const { series, steps } = windows.seriesOf(w)
    mixQuantiles(quantiles, w * weights.length, weights, width[w]!, one)
    for (let j = 0; j < 3; j++) one[j]! /= series.unit
    mix.set(one, 3 * w)
    describeSeries(series, steps, one, 0, features)
    for (let f = 0; f < FEATURES; f++) all[f * count + w] = features[f]!
  }
  return all
}

function trainingSetOf(
  { count, demand, scale, unit }: PastWindows,
  mix: Float64Array,
  level: number,
  columns: Uint8Array[],
): TrainingSet {
  const residual = new Float64Array(count)
  const weight = new Float64Array(count)
  for (let w = 0; w < count; w++) {
    const move = rangeWidth(mix, 3 * w)
    const spread = ((w + 1) * GOLDEN) % 1
    residual[w] = (demand[w]! / unit[w]! + spread - 0.5 - mix[3 * w + level]!) / move
    weight[w] = (move * unit[w]!) / scale[w]!
  }
  return { columns, residual, weight }
}
