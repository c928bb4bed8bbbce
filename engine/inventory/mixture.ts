import {
  type Distribution,
  expectedShortage as shortageOf,
  probabilityWithin,
  quantileOf,
} from '../forecast/distribution.ts'
import type { Level, Units } from '../types.ts'

/** Demand under several scenarios; the weights add up to 1. */
export type DemandMixture = readonly { weight: number; demand: Distribution }[]

/** Probability that demand, taken as continuous, does not exceed `units`. */
export function mixtureProbability(mixture: DemandMixture, units: Units): number {
  let sum = 0
  for (const { weight, demand } of mixture) sum += weight * probabilityWithin(demand, units)
  return Math.min(1, sum)
}

/** Probability that so many units suffice; counts reach half a unit further than their number. */
export const probabilityCovered = (mixture: DemandMixture, units: Units): number =>
  units < 0 ? 0 : mixtureProbability(mixture, Math.floor(units + 1e-6) + 0.5)

/** E[max(0, D − units)], also below 0. */
export function expectedShortage(mixture: DemandMixture, units: Units): Units {
  let sum = 0
  for (const { weight, demand } of mixture) sum += weight * shortageOf(demand, units)
  return sum + Math.max(0, -units)
}

const HALVINGS = 60
/** Of a unit. */
const PRECISION = 1e-3

/** The demand that is not exceeded with that probability, unrounded. */
export function mixtureQuantile(mixture: DemandMixture, level: Level): Units {
  const [only, ...others] = mixture
  if (!others.length) return quantileOf(only!.demand, level)
  const quantiles = mixture.map(({ demand }) => quantileOf(demand, level))
  let [low, high] = [Math.min(...quantiles), Math.max(...quantiles)]
  for (let i = 0; i < HALVINGS && high - low > PRECISION; i++) {
    const middle = (low + high) / 2
    if (mixtureProbability(mixture, middle) < level) low = middle
    else high = middle
  }
  return high
}

/** E[D]. */
export const mixtureMean = (mixture: DemandMixture): Units => expectedShortage(mixture, 0)
