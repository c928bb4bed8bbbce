import type { Forecaster } from '../forecaster.ts'
import { writeCountQuantiles } from '../numeric/count-quantiles.ts'
import { blendVariance } from './direct.ts'
import { fitLevels, type LevelPaths } from './fit.ts'

/** A method of level paths: its best constant, and a negative binomial matched to its errors. */
export function levelForecaster(
  name: string,
  paths: LevelPaths,
  constants: readonly number[],
): Forecaster {
  return {
    name,
    forecast(series, horizons, out) {
      fitLevels(series, paths, constants, horizons, (fit, i) => {
        const variance = blendVariance(series, fit, horizons[i]!)
        writeCountQuantiles(horizons[i]! * fit.level, variance, out, 3 * i)
      })
    },
  }
}
