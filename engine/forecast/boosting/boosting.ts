import type { Days } from '../../types.ts'
import { widen } from '../width.ts'
import type { Series } from '../series.ts'
import { binOf } from './bins.ts'
import { type Middle, type MiddleRule, middleRule, recentre } from './middle.ts'
import { describeSeries, FEATURES } from './features.ts'
import { type Trees, treesValue } from './trees.ts'

/** What the trees learnt from a tenant's past about where the mix of the methods is off. Plain data. */
export interface Boosting {
  /** By rising horizon. */
  horizons: BoostedHorizon[]
}

export interface BoostedHorizon {
  horizon: Days
  /** Where the bins of each feature begin. */
  edges: number[][]
  /** For P10, P50, P90: by how many widths of the range to move it. */
  levels: Trees[]
  /** Share of that by which it is moved: less where there was less to learn from. */
  share: number
  /** Where P50 and P75 lie after that; absent in what was learnt before 0.9.0. */
  middle?: Middle
  /** Past windows that it was learnt from. */
  windows: number
}

const NARROWEST = 0.1

/** In what moves are counted: the width of the range, in multiples of the series' unit. */
export const rangeWidth = (quantiles: Float64Array, at: number): number =>
  Math.max(NARROWEST, quantiles[at + 2]! - quantiles[at]!)

const features = new Float64Array(FEATURES)
const bins = new Uint8Array(FEATURES)

/**
 * Moves the quantiles of the mix, `quantiles[3·i + j]` at `stepCounts[i]` steps, in multiples of the series'
 * unit. Between two horizons that were learnt the move is interpolated by the logarithm.
 */
export function boost(
  { horizons }: Boosting,
  series: Series,
  stepCounts: readonly number[],
  quantiles: Float64Array,
): void {
  const moves = horizons.map((of) => {
    const index = nearest(stepCounts, of.horizon / series.stepDays)
    return {
      steps: stepCounts[index]!,
      by: movesAt(of, series, stepCounts[index]!, quantiles, 3 * index),
    }
  })
  if (!moves.length) return
  for (let i = 0; i < stepCounts.length; i++) {
    const unit = rangeWidth(quantiles, 3 * i)
    const { before, after, share } = placeOf(moves, stepCounts[i]!)
    for (let j = 0; j < 3; j++)
      quantiles[3 * i + j]! += unit * between(before.by[j]!, after.by[j]!, share)
    orderQuantiles(quantiles, 3 * i)
  }
}

/** Moves the P50 to where half of past demand was above it, by the same horizons; in place. */
export function recentreAll(
  boosting: Boosting,
  stepDays: Days,
  stepCounts: readonly number[],
  quantiles: Float64Array,
): void {
  const rules = middleRules(boosting, stepDays, stepCounts, quantiles)
  rules?.forEach(({ centre }, i) => recentre(centre, quantiles, 3 * i))
}

/** For each step count; null where nothing was learnt. Quantiles are in multiples of the series' unit. */
export function middleRules(
  { horizons }: Boosting,
  stepDays: Days,
  stepCounts: readonly number[],
  quantiles: Float64Array,
): MiddleRule[] | null {
  const learnt = horizons.flatMap(({ horizon, middle }) =>
    middle ? [{ steps: horizon / stepDays, middle }] : [],
  )
  if (!learnt.length) return null
  return stepCounts.map((steps, i) => {
    const { before, after, share } = placeOf(learnt, steps)
    const from = middleRule(before.middle, quantiles[3 * i + 1]!, quantiles[3 * i + 2]!)
    if (before === after) return from
    const to = middleRule(after.middle, quantiles[3 * i + 1]!, quantiles[3 * i + 2]!)
    return {
      centre: between(from.centre, to.centre, share),
      upper: between(from.upper, to.upper, share),
    }
  })
}

function movesAt(
  { edges, levels, share }: BoostedHorizon,
  series: Series,
  steps: number,
  quantiles: Float64Array,
  at: number,
): number[] {
  describeSeries(series, steps, quantiles, at, features)
  for (let f = 0; f < FEATURES; f++) bins[f] = binOf(edges[f]!, features[f]!)
  return levels.map((trees) => share * treesValue(trees, bins))
}

function nearest(stepCounts: readonly number[], steps: number): number {
  let best = 0
  for (let i = 1; i < stepCounts.length; i++)
    if (Math.abs(stepCounts[i]! - steps) < Math.abs(stepCounts[best]! - steps)) best = i
  return best
}

/** The moves on either side, and how far it is from the one to the other. */
interface Place<Move> {
  before: Move
  after: Move
  share: number
}

function placeOf<Move extends { steps: number }>(
  moves: readonly Move[],
  steps: number,
): Place<Move> {
  let right = 0
  while (right < moves.length - 1 && moves[right]!.steps < steps) right++
  const after = moves[right]!
  const before = moves[Math.max(0, right - 1)]!
  if (steps >= after.steps || before.steps >= after.steps || steps <= before.steps) {
    const one = steps <= before.steps && steps < after.steps ? before : after
    return { before: one, after: one, share: 0 }
  }
  const share = Math.log(steps / before.steps) / Math.log(after.steps / before.steps)
  return { before, after, share }
}

const between = (before: number, after: number, share: number) => before + share * (after - before)

/** 0 ≤ P10 ≤ P50 ≤ P90. */
export function orderQuantiles(quantiles: Float64Array, at: number): void {
  const p50 = Math.max(0, quantiles[at + 1]!)
  quantiles[at] = Math.min(p50, Math.max(0, quantiles[at]!))
  quantiles[at + 1] = p50
  quantiles[at + 2] = Math.max(p50, quantiles[at + 2]!)
}

/** The mix of one horizon, in `out[0..2]`: `quantiles[(at + method) · 3 + level]` by `weights`, set wide. */
export function mixQuantiles(
  quantiles: ArrayLike<number>,
  at: number,
  weights: readonly number[],
  width: number,
  out: Float64Array,
): void {
  out.fill(0, 0, 3)
  weights.forEach((weight, method) => {
    for (let j = 0; j < 3; j++) out[j]! += weight * quantiles[(at + method) * 3 + j]!
  })
  widen(out, 0, width)
}
