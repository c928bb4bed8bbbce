import type { PastWindows } from '../calibration/past-windows.ts'
import { FORECAST_QUANTILES } from '../numeric/forecast-quantiles.ts'
import type { Days } from '../../types.ts'
import { binOf, edgesOf } from './bins.ts'
import { type BoostedHorizon, mixQuantiles, orderQuantiles, rangeWidth } from './boosting.ts'
import { learnMiddle, type Middle } from './middle.ts'
import { describeSeries, FEATURES } from './features.ts'
import { growTrees, type Trees, type TrainingSet, treesValue } from './trees.ts'
import { chanceFactor, widen } from '../width.ts'

/** With fewer past windows the trees would learn noise. */
const FEWEST_WINDOWS = 200
/** Windows at which the trees move a quantile half as far as they would. */
const HALF_SHARE = 400
/** Steps of the golden ratio spread the counts evenly within their unit, the same way every time. */
const GOLDEN = 0.6180339887498949

/**
 * Learns by how much the mix was off in past windows; null where they are too few.
 * @param halfTimes times without overlap at which half of that counts, where a few times are all that there is
 */
export function trainBoosting(
  windows: PastWindows,
  weights: readonly number[],
  horizon: Days,
  halfTimes = 0,
): BoostedHorizon | null {
  const { count, evidence, times } = windows
  if (evidence < FEWEST_WINDOWS) return null
  const mix = new Float64Array(3 * count)
  const described = describeAll(windows, weights, mix)
  const edges = Array.from({ length: FEATURES }, (_, f) =>
    edgesOf(described.subarray(f * count, (f + 1) * count)),
  )
  const columns = edges.map((own, f) => {
    const column = new Uint8Array(count)
    for (let w = 0; w < count; w++) column[w] = binOf(own, described[f * count + w]!)
    return column
  })
  const levels = FORECAST_QUANTILES.map((level, j) =>
    growTrees(trainingSetOf(windows, mix, j, columns), level),
  )
  const share = (evidence / (evidence + HALF_SHARE)) * (times / (times + halfTimes))
  const middle = middleOf(windows, mix, columns, levels, share)
  return { horizon, edges, levels, share, middle, windows: count }
}

/** From the forecasts of the past windows as the trees would have made them. */
function middleOf(
  { count, demand, unit, evidence }: PastWindows,
  mix: Float64Array,
  columns: readonly Uint8Array[],
  levels: readonly Trees[],
  share: number,
): Middle {
  const quantiles = mix.slice()
  const bins = new Uint8Array(FEATURES)
  for (let w = 0; w < count; w++) {
    for (let f = 0; f < FEATURES; f++) bins[f] = columns[f]![w]!
    const move = share * rangeWidth(mix, 3 * w)
    for (let j = 0; j < 3; j++) quantiles[3 * w + j]! += move * treesValue(levels[j]!, bins)
    orderQuantiles(quantiles, 3 * w)
    widen(quantiles, 3 * w, chanceFactor(quantiles, 3 * w))
  }
  return learnMiddle({
    quantiles,
    demand: demand.subarray(0, count).map((units, w) => units / unit[w]!),
    spread: Float64Array.from({ length: count }, (_, w) => spreadOf(w)),
    evidence: evidence / count,
  })
}

const spreadOf = (window: number) => ((window + 1) * GOLDEN) % 1

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
    residual[w] = (demand[w]! / unit[w]! + spreadOf(w) - 0.5 - mix[3 * w + level]!) / move
    weight[w] = (move * unit[w]!) / scale[w]!
  }
  return { columns, residual, weight }
}
