import type { Forecaster } from '../forecaster.ts'
import { directFits, directQuantiles } from '../levels/direct.ts'

/** Smoothed level chosen by the error of the sum, negative binomial matched to that error. */
export const direct2: Forecaster = {
  name: 'direct2',
  forecast(series, horizons, out) {
    directFits(series, horizons).forEach((fit, i) => directQuantiles(fit, horizons[i]!, out, 3 * i))
  },
}
