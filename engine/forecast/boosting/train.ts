import type { PastWindows } from '../calibration/past-windows.ts'
import { FORECAST_QUANTILES } from '../numeric/forecast-quantiles.ts'
import type { Days } from '../../types.ts'
import { binOf, edgesOf } from './bins.ts'
import { type BoostedHorizon, mixQuantiles, orderQuantiles, rangeWidth } from './boosting.ts'
import { learnMiddle, type PastForecasts } from './middle.ts'
import { describeSeries, FEATURES } from './features.ts'
import { growTrees, type Trees, type TrainingSet, treesValue } from './trees.ts'
import { chanceFactor, widen } from '../width.ts'

/** With fewer past windows the trees would learn noise. */
const FEWEST_WINDOWS = 200
/** Windows at which the trees move a quantile half as far as they would. */
const HALF_SHARE = 400
/** Steps of the golden ratio spread the counts evenly within their unit, the same way every time. */
const GOLDEN = 0.6180339887498949

/** Of the trees whose forecasts are judged: half as many that learn twice as quickly say nearly the same. */
const JUDGED_TREES = 45

/** What the past taught, and what it says of windows that it did not learn from. */
export interface Trained {
  boosted: BoostedHorizon | null
  held: HeldOut
}

/** Forecasts of the windows that judge, by weights and trees that have seen nothing of their series. */
export interface HeldOut extends PastForecasts {
  /** Their numbers among all windows. */
  windows: Uint32Array
}

/**
 * Learns by how much the mix was off in past windows; nothing where they are too few. Where the middle lies is learnt from
 * windows that the weights did not see, forecast by trees that did not see them either.
 * @param weights learnt from `windows.learning`
 * @param halfTimes times without overlap at which half of that counts, where a few times are all that there is
 */
export function trainBoosting(
  windows: PastWindows,
  weights: readonly number[],
  horizon: Days,
  halfTimes = 0,
): Trained {
  const { count, evidence, times, learning, judging } = windows
  const mix = new Float64Array(3 * count)
  if (evidence < FEWEST_WINDOWS || !learning.length) {
    mixAll(windows, weights, mix)
    return { boosted: null, held: heldOut(windows, mix) }
  }
  const described = describeAll(windows, weights, mix)
  const edges = Array.from({ length: FEATURES }, (_, f) =>
    edgesOf(described.subarray(f * count, (f + 1) * count)),
  )
  const columns = edges.map((own, f) => {
    const column = new Uint8Array(count)
    for (let w = 0; w < count; w++) column[w] = binOf(own, described[f * count + w]!)
    return column
  })
  const share = (evidence / (evidence + HALF_SHARE)) * (times / (times + halfTimes))
  const grow = (rows: Uint32Array | null, trees?: number) => {
    const own = rows ? columns.map((column) => partOf(column, rows)) : columns
    return FORECAST_QUANTILES.map((level, j) =>
      growTrees(trainingSetOf(windows, mix, j, own, rows), level, trees),
    )
  }
  const quantiles = mix.slice()
  moveBy(grow(learning, JUDGED_TREES), { columns, share, mix, judging }, quantiles)
  const held = heldOut(windows, quantiles)
  const middle = learnMiddle(held)
  return { boosted: { horizon, edges, levels: grow(null), share, middle, windows: count }, held }
}

/** Trees, and the windows whose mix they move. */
interface Fold {
  columns: readonly Uint8Array[]
  share: number
  mix: Float64Array
  judging: Uint32Array
}

/** Moves the mix of the windows that judge. */
function moveBy(trees: readonly Trees[], fold: Fold, quantiles: Float64Array): void {
  const { columns, share, mix, judging } = fold
  const bins = new Uint8Array(FEATURES)
  for (const w of judging) {
    for (let f = 0; f < FEATURES; f++) bins[f] = columns[f]![w]!
    const move = share * rangeWidth(mix, 3 * w)
    for (let j = 0; j < 3; j++) quantiles[3 * w + j]! += move * treesValue(trees[j]!, bins)
    orderQuantiles(quantiles, 3 * w)
    widen(quantiles, 3 * w, chanceFactor(quantiles, 3 * w))
  }
}

/** @param all `[3 · window + level]`, in multiples of the series' unit */
function heldOut(
  { demand, unit, evidence, count, judging }: PastWindows,
  all: Float64Array,
): HeldOut {
  const quantiles = new Float64Array(3 * judging.length)
  judging.forEach((w, i) => quantiles.set(all.subarray(3 * w, 3 * w + 3), 3 * i))
  return {
    windows: judging,
    quantiles,
    demand: Float64Array.from(judging, (w) => demand[w]! / unit[w]!),
    spread: Float64Array.from(judging, spreadOf),
    evidence: evidence / count,
  }
}

const spreadOf = (window: number) => ((window + 1) * GOLDEN) % 1

function mixAll(
  { count, quantiles, width, unit }: PastWindows,
  weights: readonly number[],
  mix: Float64Array,
): void {
  const one = new Float64Array(3)
  for (let w = 0; w < count; w++) {
    mixQuantiles(quantiles, w * weights.length, weights, width[w]!, one)
    for (let j = 0; j < 3; j++) mix[3 * w + j] = one[j]! / unit[w]!
  }
}

/** Features by column, and the mix by window in multiples of its series' unit. */
function describeAll(
  windows: PastWindows,
  weights: readonly number[],
  mix: Float64Array,
): Float64Array {
  const { count } = windows
  mixAll(windows, weights, mix)
  const all = new Float64Array(FEATURES * count)
  const features = new Float64Array(FEATURES)
  for (let w = 0; w < count; w++) {
    const { series, steps } = windows.seriesOf(w)
    describeSeries(series, steps, mix, 3 * w, features)
    for (let f = 0; f < FEATURES; f++) all[f * count + w] = features[f]!
  }
  return all
}

/**
 * @param columns of these windows
 * @param rows the windows to learn from; null for all
 */
function trainingSetOf(
  { count, demand, scale, unit }: PastWindows,
  mix: Float64Array,
  level: number,
  columns: Uint8Array[],
  rows: Uint32Array | null,
): TrainingSet {
  const size = rows?.length ?? count
  const residual = new Float64Array(size)
  const weight = new Float64Array(size)
  for (let row = 0; row < size; row++) {
    const w = rows?.[row] ?? row
    const move = rangeWidth(mix, 3 * w)
    residual[row] = (demand[w]! / unit[w]! + spreadOf(w) - 0.5 - mix[3 * w + level]!) / move
    weight[row] = (move * unit[w]!) / scale[w]!
  }
  return { columns, residual, weight }
}

function partOf(column: Uint8Array, rows: Uint32Array): Uint8Array {
  const part = new Uint8Array(rows.length)
  for (let row = 0; row < rows.length; row++) part[row] = column[rows[row]!]!
  return part
}
