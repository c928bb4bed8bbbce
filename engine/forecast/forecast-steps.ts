import type { Posting } from '../series/posting.ts'
import type { Steps } from '../series/steps.ts'
import { overDays } from './booked.ts'
import { makeCoherent } from './coherence.ts'
import type { Forecaster } from './forecaster.ts'
import { prepareSeries } from './series.ts'
import { stepCountsOf } from './step-calendar.ts'

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

/** The same over numbers of days, of a series whose steps may be weeks or months. */
export function forecastDays(
  method: Forecaster,
  steps: Pick<Steps, 'values' | 'stepDays'>,
  posting: Posting | null,
  horizons: readonly number[],
): Float64Array {
  if (!posting) return forecastSteps(method, steps, horizons)
  const stepCounts = stepCountsOf({ posting })
  const quantiles = forecastSteps(method, steps, stepCounts)
  const knots = { stepCounts, quantiles, p75: null, tail: null, counts: null }
  const told = overDays(knots, steps.stepDays)
  return Float64Array.from(
    horizons.flatMap((horizon) =>
      [0, 1, 2].map((level) =>
        straight(told.stepCounts, horizon, (i) => told.quantiles[3 * i + level]!),
      ),
    ),
  )
}

/** Straight between two numbers of days, and from nothing at none. */
function straight(days: readonly number[], at: number, value: (i: number) => number): number {
  const upper = Math.max(
    0,
    days.findIndex((each) => each >= at),
  )
  const [left, below] = upper ? [days[upper - 1]!, value(upper - 1)] : [0, 0]
  return below + ((value(upper) - below) * (at - left)) / (days[upper]! - left)
}
