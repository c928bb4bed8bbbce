import type { Confidence, EpochDay, Units } from '../types.ts'

/** Horizons for which the quantiles are computed; those between are interpolated. */
export const GRID: readonly number[] = [1, 3, 7, 14, 28, 56, 90]
export const MAX_HORIZON = 90

/** Answers any horizon of 1..90 days without the history. Plain data, under 4,000 bytes as JSON. */
export interface ForecastModel {
  asOf: EpochDay
  /** Quantiles of the sum at each point of the grid, unrounded, ordered and not falling. */
  p10: Units[]
  p50: Units[]
  p90: Units[]
  confidence: Confidence[]
  drivers: string[][]
}
