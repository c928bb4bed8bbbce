import type { Forecaster } from '../forecaster.ts'
import { fitDirectLevels } from '../estimators/direct.ts'
import { writeCountQuantiles } from '../numeric/count-quantiles.ts'

/** Windows at which the past errors count as much as the negative binomial. */
const HALF_WEIGHT = 8

/** As direct2, mixed with the quantiles of the past errors as far as there are enough of them. */
export const direct2Empirical: Forecaster = {
  name: 'direct2-empirical',
  forecast(series, horizons, out) {
    fitDirectLevels(series, horizons).forEach((fit, i) => {
      const horizon = horizons[i]!
      writeCountQuantiles(horizon * fit.level, fit.variance, out, 3 * i)
      const share = fit.windows / (fit.windows + HALF_WEIGHT)
      for (let j = 0; j < 3; j++) {
        const empirical = Math.max(0, horizon * fit.level + fit.empirical[j]!)
        out[3 * i + j]! += share * (empirical - out[3 * i + j]!)
      }
    })
  },
}
