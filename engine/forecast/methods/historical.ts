import type { Days } from '../../types.ts'
import type { Forecaster } from '../forecaster.ts'
import { modelVariance } from '../levels/direct.ts'
import { windowSums } from '../levels/window-sums.ts'
import { countQuantiles } from '../numeric/count-quantiles.ts'
import { weightedQuantiles } from '../numeric/sorted-sample.ts'
import { halfYearlyDecay } from '../recency.ts'

const weights = new Float64Array(1024)

/** Historical simulation: quantiles of the sums of past windows, weighted by their age. */
function historical(name: string, weight: (age: Days) => number): Forecaster {
  return {
    name,
    forecast(series, horizons, out) {
      windowSums(series, horizons).forEach(({ sums, ages }, i) => {
        const { mean } = series
        const horizon = horizons[i]!
        for (let k = 0; k < sums.length; k++) weights[k] = weight(ages[k]!)
        if (sums.length) weightedQuantiles(sums, weights, sums.length, out, 3 * i)
        else countQuantiles(horizon * mean, modelVariance(series, mean, 0.01, horizon), out, 3 * i)
      })
    },
  }
}

export const historicalRecent = historical('historical-recent', halfYearlyDecay)
export const historicalYear = historical('historical-year', (age) => (age < 365 ? 1 : 0))
export const historicalAll = historical('historical-all', () => 1)
