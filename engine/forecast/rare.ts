import type { Units } from '../types.ts'
import { countQuantile, countsOf } from './counts.ts'
import { fitDirectLevels } from './estimators/direct.ts'
import type { Series } from './series.ts'

/** The moments of a count of packs, for each step count. */
export interface CountMoments {
  pack: Units
  mean: number[]
  variance: number[]
}

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
    const { level, modelVariance } = fits[i]!
    mean.push(Math.max(mean[i - 1] ?? 0, steps * level))
    variance.push(Math.max(variance[i - 1] ?? 0, modelVariance))
    const counts = countsOf({ pack, mean: mean[i]!, variance: variance[i]! })
    if (!counts) continue
    const p90 = Math.round(quantiles[3 * i + 2]! / pack)
    const differs = Math.abs(countQuantile(counts, 0.9) / pack - p90)
    if (differs > Math.max(1, AGREED * p90)) return null
    isRare ||= steps * series.stepDays >= 7
  }
  return isRare ? { pack, mean, variance } : null
}
