import type { Forecaster } from '../forecaster.ts'
import { countQuantiles } from '../numeric/count-quantiles.ts'
import { modelVariance } from './direct.ts'
import { fitLevels, type LevelPath } from './fit.ts'

/** A method of a level path: its best constant, and a negative binomial matched to its errors. */
export function fittedLevel(
  name: string,
  path: LevelPath,
  constants: readonly number[],
): Forecaster {
  return {
    name,
    forecast(series, horizons, out) {
      fitLevels(series, path, constants, horizons, ({ level, variance, constant, windows }, i) => {
        const horizon = horizons[i]!
        const spread = windows ? variance : modelVariance(series, level, constant, horizon)
        countQuantiles(horizon * level, spread, out, 3 * i)
      })
    },
  }
}
