import type { LocationContext } from '../series/location-context.ts'
import type { Days, Units } from '../types.ts'
import { writeCountQuantiles } from './numeric/count-quantiles.ts'

/** What little is known of a series that is too young for any method. */
export interface ShortHistory {
  /** Days since its first row. */
  days: Days
  sales: number
  units: Units
}

export const YOUNG = { days: 28, sales: 2 }

/** Mean and variance of demand. */
export interface Moments {
  mean: Units
  variance: number
}

/**
 * Gamma-Poisson shrinkage to the location's pool: the pool's rate is the prior, the own demand, in
 * sales of the usual size, moves it; without a pool a weak prior that thins the own rate out.
 * @returns of which count the quantiles are
 */
export function writeColdStartQuantiles(
  { days, sales, units }: ShortHistory,
  prior: LocationContext['prior'],
  horizon: Days,
  out: Float64Array,
  at: number,
): Moments {
  const size = sales ? Math.max(1, units / sales) : 1
  const { shape, rate } = prior ?? weakPrior(days, units)
  const posteriorShape = shape + units / size
  const posteriorRate = rate + days / size
  const mean = (horizon * posteriorShape) / posteriorRate
  const variance = size * mean + (mean * mean) / posteriorShape
  writeCountQuantiles(mean, variance, out, at)
  return { mean, variance }
}

/** In sales of the usual size. */
const WEAK = 0.25

const weakPrior = (days: Days, units: Units) => ({
  shape: WEAK,
  rate: (WEAK * (days + YOUNG.days)) / Math.max(units, 0.1),
})
