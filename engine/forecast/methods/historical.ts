import type { Forecaster } from '../forecaster.ts'
import { type Weighting, writeHistorical } from '../estimators/historical.ts'

/** Historical simulation: quantiles of the sums of past windows, weighted by their age. */
const historical = (weighting: Weighting): Forecaster => ({
  name: `historical-${weighting}`,
  forecast: (series, horizons, out) => writeHistorical(weighting, series, horizons, out),
})

export const historicalRecent = historical('recent')
export const historicalYear = historical('year')
export const historicalAll = historical('all')
