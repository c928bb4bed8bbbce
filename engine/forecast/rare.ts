import type { Units } from '../types.ts'
import { countQuantileOnce, countsOf } from './counts.ts'
import { type DirectFit, fitDirectLevels } from './estimators/direct.ts'
import type { Series } from './series.ts'
import { yearlyFactorOf } from './yearly.ts'

/** The moments of a count of packs, for each step count. */
export interface CountMoments {
  pack: Units
  mean: number[]
  variance: number[]
}

/** How many times its variance the difference must be, squared, before it counts at all. */
const HARDNESS = 2
/** The P90 of the count and that of the forecast differ by no more than a pack, or this share. */
const AGREED = 0.25

/**
 * Rare demand as a negative binomial count, its variance that of days whose rate drifts. Null where demand is frequent,
 * or comes in bulk: then the forecast's P90 lies elsewhere than the count's, and past errors know better.
 * @param quantiles of the forecast, `[3·i + level]`, in units
 */
export function rareCounts(
  series: Series,
  stepCounts: readonly number[],
  quantiles: Float64Array,
): CountMoments | null {
  const pack = series.unit
  const fits = fitDirectLevels(series, stepCounts)
  const mean: number[] = []
  const variance: number[] = []
  let isRare = false
  for (const [i, steps] of stepCounts.entries()) {
    const { rate, remembered } = steadyRate(series, fits[i]!)
    const drift = 1 + steps / remembered
    const expected = steps * rate * yearlyFactorOf(series, steps)
    mean.push(Math.max(mean[i - 1] ?? 0, expected))
    variance.push(Math.max(variance[i - 1] ?? 0, expected * series.dispersion * drift))
    const counts = countsOf({ pack, mean: mean[i]!, variance: variance[i]! })
    if (!counts) continue
    const p90 = Math.round(quantiles[3 * i + 2]! / pack)
    const differs = Math.abs(countQuantileOnce(counts, 0.9) / pack - p90)
    if (differs > Math.max(1, AGREED * p90)) return null
    isRare ||= steps * series.stepDays >= 7
  }
  return isRare ? { pack, mean, variance } : null
}

/**
 * The level, moved to the mean of all steps as far as the difference may be chance (positive-part James-Stein): of a few
 * sales a quick level remembers next to none.
 */
function steadyRate({ length, cappedSums, dispersion }: Series, { level, constant }: DirectFit) {
  const mean = cappedSums[length]! / length
  const quick = (1 - (1 - constant) ** length) / constant
  const noise = Math.max(0, dispersion * mean * (constant / (2 - constant) - 1 / length))
  const share = Math.max(0, 1 - (HARDNESS * noise) / Math.max((level - mean) ** 2, 1e-12))
  return {
    rate: mean + share * (level - mean),
    remembered: Math.max(1, length + share * (quick - length)),
  }
}
