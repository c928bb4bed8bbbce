import type { Forecaster } from '../forecaster.ts'
import { directFits } from '../levels/direct.ts'
import { countQuantiles } from '../numeric/count-quantiles.ts'

/** Smoothed level chosen by the error of the sum, negative binomial matched to that error. */
export const direct2: Forecaster = {
  name: 'direct2',
  forecast(series, horizons, out) {
    directFits(series, horizons).forEach(({ level, variance }, i) =>
      countQuantiles(horizons[i]! * level, variance, out, 3 * i),
    )
  },
}
