import { root } from './distribution.ts'
import { METHODS } from './methods/index.ts'
import { Z90 } from './numeric/forecast-quantiles.ts'
import type { PastWindows } from './calibration/past-windows.ts'

/** Windows with more than the P90 was said, to learn from. */
const FEWEST = 40
const BOUNDS = [0.8, 2] as const
/** Standard normal quantiles of .95 and .975: half and a quarter of what exceeds P90 lies beyond. */
const HALF = 1.6448536269514722
const QUARTER = 1.959963984540054

/**
 * How heavy the part above P90 is: the `tail` of a distribution, from past demand that exceeded the P90 of the mix.
 * By how far it did so in the median and the upper quartile, over what a normal fourth root would say.
 * @returns null where too little exceeded it
 */
export function learnTail(
  { count, quantiles, demand, width }: PastWindows,
  weights: readonly number[],
): number | null {
  const excesses: number[] = []
  for (let w = 0; w < count; w++) {
    const mixed = (level: number) =>
      weights.reduce(
        (sum, weight, m) => sum + weight * quantiles[(w * METHODS.length + m) * 3 + level]!,
        0,
      )
    const p50 = mixed(1)
    const p90 = p50 + width[w]! * (mixed(2) - p50)
    const step = (root(p90) - root(p50)) / Z90
    if (demand[w]! <= Math.round(p90) || !(step > 0) || p90 < 0.5) continue
    excesses.push((root(demand[w]!) - root(p90)) / step)
  }
  if (excesses.length < FEWEST) return null
  excesses.sort((a, b) => a - b)
  const at = (share: number) => excesses[Math.floor(share * excesses.length)]!
  const stretch = (at(0.5) / (HALF - Z90) + at(0.75) / (QUARTER - Z90)) / 2
  return Math.min(BOUNDS[1], Math.max(BOUNDS[0], stretch))
}
