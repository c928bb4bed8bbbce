import type { Forecaster } from '../forecaster.ts'
import { directFits } from '../levels/direct.ts'
import { countQuantiles } from '../numeric/count-quantiles.ts'

/** The level of direct2 with the variance of a rate that drifts: good where windows are few. */
export const gammaPoisson: Forecaster = {
  name: 'gamma-poisson',
  forecast(series, horizons, out) {
    directFits(series, horizons).forEach(({ level, modelVariance }, i) =>
      countQuantiles(horizons[i]! * level, modelVariance, out, 3 * i),
    )
  },
}
