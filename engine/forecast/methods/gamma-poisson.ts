import type { Forecaster } from '../forecaster.ts'
import { fitDirectLevels } from '../estimators/direct.ts'
import { writeCountQuantiles } from '../numeric/count-quantiles.ts'

/** The level of direct2 with the variance of a rate that drifts: good where windows are few. */
export const gammaPoisson: Forecaster = {
  name: 'gamma-poisson',
  forecast(series, horizons, out) {
    fitDirectLevels(series, horizons).forEach(({ level, modelVariance }, i) =>
      writeCountQuantiles(horizons[i]! * level, modelVariance, out, 3 * i),
    )
  },
}
