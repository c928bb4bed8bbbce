const WIDEST = 1.6

/**
 * A history that holds the horizon few times says little about how the level drifts over it: both
 * sides of the P50 are stretched by 1 + horizon / history, at most 1.6.
 */
export function widthFactor(horizon: number, historyLength: number): number {
  return Math.min(WIDEST, 1 + horizon / Math.max(1, historyLength))
}

/** Stretches P10 and P90 away from the P50, in place. */
export function widen(quantiles: Float64Array, at: number, factor: number): void {
  const p50 = quantiles[at + 1]!
  quantiles[at] = Math.max(0, p50 - factor * (p50 - quantiles[at]!))
  quantiles[at + 2] = p50 + factor * (quantiles[at + 2]! - p50)
}
