import type { Series } from './series.ts'

/**
 * A method. It gives P10, P50, P90 of the SUM of demand over the next k steps for each k of
 * `horizons` (whole, ascending) into `out[3·i .. 3·i+2]`, in the series' unit and unrounded; pure,
 * finite, ≥ 0 and in order. A new one is one file, one line in `methods/index.ts`, one line of test.
 */
export interface Forecaster {
  name: string
  forecast(series: Series, horizons: readonly number[], out: Float64Array): void
}
