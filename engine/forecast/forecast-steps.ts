import type { Steps } from '../series/steps.ts'
import { makeCoherent } from './coherence.ts'
import type { Forecaster } from './forecaster.ts'
import { prepareSeries } from './series.ts'

/**
 * What a method alone says, as it would be answered but for the rounding: P10, P50, P90 of the sum
 * over each number of steps, in units, in order and rising with the horizon.
 */
export function forecastSteps(
  method: Forecaster,
  { values, stepDays }: Pick<Steps, 'values' | 'stepDays'>,
  horizons: readonly number[],
): Float64Array {
  const series = prepareSeries(values, stepDays)
  const out = new Float64Array(3 * horizons.length)
  method.forecast(series, horizons, out)
  for (let i = 0; i < out.length; i++) out[i]! *= series.unit
  makeCoherent(out)
  return out
}
