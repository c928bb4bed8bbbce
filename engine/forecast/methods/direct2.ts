import type { Forecaster } from '../forecaster.ts'
import { fitDirectLevels } from '../estimators/direct.ts'
import { writeCountQuantiles } from '../numeric/count-quantiles.ts'

/** Smoothed level chosen by the error of the sum, negative binomial matched to that error. */
export const direct2: Forecaster = {
  name: 'direct2',
  forecast(series, horizons, out) {
    fitDirectLevels(series, horizons).forEach(({ level, variance }, i) =>
      writeCountQuantiles(horizons[i]! * level, variance, out, 3 * i),
    )
  },
}
