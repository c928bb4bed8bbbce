import type { Forecaster } from './forecaster.ts'
import type { Series } from './series.ts'

/** The mean of the methods' quantiles, level by level. */
export function equalMix(methods: readonly Forecaster[]): Forecaster {
  return {
    name: 'equal-mix',
    forecast(series: Series, horizons, out) {
      const part = new Float64Array(3 * horizons.length)
      out.fill(0, 0, part.length)
      for (const method of methods) {
        method.forecast(series, horizons, part)
        for (let i = 0; i < part.length; i++) out[i]! += part[i]! / methods.length
      }
    },
  }
}
