import type { Confidence, EpochDay, Units } from '../types.ts'
import type { Clock } from './clock.ts'
import type { Driver } from './drivers.ts'

/** Answers any horizon of 1..90 days without the history. Plain data, under 4,000 bytes as JSON. */
export interface ForecastModel {
  asOf: EpochDay
  clock: Clock
  /** Numbers of steps for which the quantiles were computed, ascending; those between are interpolated. */
  knots: number[]
  /** Quantiles of the sum at each knot, unrounded, in order and not falling. */
  p10: Units[]
  p50: Units[]
  p90: Units[]
  /** At each knot. */
  confidence: Confidence[]
  /** Of any horizon; the weekday's part is told with the answer, it depends on the horizon. */
  drivers: Driver[]
  /** What the P50 at each knot is made of; absent where there was too little demand to learn from. */
  amounts?: Amounts
}

/** What the P50 is made of, at each knot, in units; what the past taught is the rest. */
export interface Amounts {
  /** What the mix of the methods says. */
  level: Units[]
  /** What the season adds to or takes from it; absent where no year is known. */
  yearly?: Units[]
  /** What the planned promotions add to or take from it; absent where none is planned. */
  promotion?: Units[]
}
