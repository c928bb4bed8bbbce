import type { Days } from '../types.ts'

const WIDEST = 1.6

/**
 * A history that holds the horizon few times says little about how the level drifts over it: both
 * sides of the P50 are stretched by 1 + horizon / history, at most 1.6.
 */
export function widthFactor(horizon: number, historyLength: number): number {
  return Math.min(WIDEST, 1 + horizon / Math.max(1, historyLength))
}

const YEAR = 365
/** By how much the longest horizon's upper side is stretched where no season was seen. */
const UNSEEN = 0.5
const FADES_OVER = 180
const LONGEST = 90

/**
 * Where a location is known for less than a year and the horizon, nothing tells what the coming
 * season does: the upper side is stretched, the more the longer the horizon.
 * @param known days since the location's first row
 */
export function unseenSeasonFactor(horizon: Days, known: Days): number {
  const unseen = Math.min(1, Math.max(0, (YEAR + horizon - known) / FADES_OVER))
  return 1 + UNSEEN * unseen * (horizon / LONGEST)
}

/** Stretches the upper side alone, in place. */
export function widenUpper(quantiles: Float64Array, at: number, factor: number): void {
  quantiles[at + 2] = quantiles[at + 1]! + factor * (quantiles[at + 2]! - quantiles[at + 1]!)
}

/** Stretches P10 and P90 away from the P50, in place. */
export function widen(quantiles: Float64Array, at: number, factor: number): void {
  const p50 = quantiles[at + 1]!
  quantiles[at] = Math.max(0, p50 - factor * (p50 - quantiles[at]!))
  quantiles[at + 2] = p50 + factor * (quantiles[at + 2]! - p50)
}
