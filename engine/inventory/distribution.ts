import { Z90 } from '../forecast/numeric/forecast-quantiles.ts'
import { normalCdf } from './normal-cdf.ts'
import type { Level, Quantiles, Units } from '../types.ts'

/** Demand under several scenarios; the weights add up to 1. */
export type DemandMixture = readonly { weight: number; demand: Quantiles }[]

/**
 * Probability that demand does not exceed `units`. Each scenario is normal on either side of its
 * median, as the forecast's own quantiles are; beyond P10 and P90 that is extrapolated.
 */
export function probabilityWithin(mixture: DemandMixture, units: Units): number {
  let sum = 0
  for (const { weight, demand } of mixture) sum += weight * within(demand, units)
  return Math.min(1, sum)
}

function within({ p10, p50, p90 }: Quantiles, units: Units): number {
  if (units < 0) return 0
  const beyond = units - p50
  const width = beyond < 0 ? p50 - p10 : p90 - p50
  if (width > 0) return normalCdf((Z90 * beyond) / width)
  return beyond < 0 ? 0 : 1
}

const HALVINGS = 60
/** Of a unit. */
const PRECISION = 1e-4

/** The demand that is not exceeded with that probability, by halving `probabilityWithin`. */
export function mixtureQuantile(mixture: DemandMixture, level: Level): Units {
  let high = 1
  while (probabilityWithin(mixture, high) < level) high *= 2
  let low = 0
  for (let i = 0; i < HALVINGS && high - low > PRECISION; i++) {
    const middle = (low + high) / 2
    if (probabilityWithin(mixture, middle) < level) low = middle
    else high = middle
  }
  return high
}
