import type { Forecaster } from '../forecaster.ts'
import { writeCountQuantiles } from '../numeric/count-quantiles.ts'
import { blendVariance } from './direct.ts'
import { fitLevels, type LevelPath } from './fit.ts'

/** A method of a level path: its best constant, and a negative binomial matched to its errors. */
export function levelForecaster(
  name: string,
  path: LevelPath,
  constants: readonly number[],
): Forecaster {
  return {
    name,
    forecast(series, horizons, out) {
      fitLevels(series, path, constants, horizons, (fit, i) => {
        const variance = blendVariance(series, fit, horizons[i]!)
        writeCountQuantiles(horizons[i]! * fit.level, variance, out, 3 * i)
      })
    },
  }
}
