import type { LocationContext } from '../series/context.ts'
import { type Steps, toSteps } from '../series/steps.ts'
import { summarise } from '../series/summary.ts'
import type { DemandHistory, EpochDay } from '../types.ts'
import { clockOf, knotsOf } from './clock.ts'
import { makeCoherent } from './coherence.ts'
import { coldStartQuantiles, YOUNG } from './cold-start.ts'
import { DORMANT_AFTER, dormantQuantiles } from './dormant.ts'
import { METHODS } from './methods/index.ts'
import { equalMix } from './mix.ts'
import type { ForecastModel } from './model.ts'
import { prepare } from './series.ts'
import { widen, widthFactor } from './width.ts'

const MIX = equalMix(METHODS)

/**
 * Forecasts one SKU at one location for every horizon of 1..90 days. Reads no row on or after
 * `asOf`; the same rows in any order give the same model to the bit.
 */
export function forecastPair(
  history: DemandHistory,
  asOf: EpochDay,
  context: LocationContext,
): ForecastModel {
  const clock = clockOf(asOf, context)
  const knots = knotsOf(clock)
  const steps = toSteps(history, asOf, context)
  const summary = summarise(history, asOf)
  const quantiles = new Float64Array(3 * knots.length)
  const dayKnots = knots.map((knot) => knot * steps.stepDays)
  if (summary.silentDays >= DORMANT_AFTER)
    dayKnots.forEach((days, i) =>
      dormantQuantiles(summary.silentDays, summary.units / summary.sales, days, quantiles, 3 * i),
    )
  else if (summary.days < YOUNG.days || summary.sales < YOUNG.sales)
    dayKnots.forEach((days, i) =>
      coldStartQuantiles(summary, context.prior, days, quantiles, 3 * i),
    )
  else mixQuantiles(steps, knots, quantiles)
  makeCoherent(quantiles)
  return toModel(asOf, clock, knots, quantiles)
}

function mixQuantiles(steps: Steps, knots: readonly number[], quantiles: Float64Array): void {
  const series = prepare(steps.values, steps.stepDays)
  MIX.forecast(series, knots, quantiles)
  knots.forEach((knot, i) => {
    const factor = widthFactor(knot, series.length)
    widen(quantiles, 3 * i, factor, factor)
  })
  for (let i = 0; i < quantiles.length; i++) quantiles[i]! *= series.unit
}

function toModel(
  asOf: EpochDay,
  clock: ForecastModel['clock'],
  knots: readonly number[],
  quantiles: Float64Array,
): ForecastModel {
  const level = (j: number) => knots.map((_, i) => Math.round(quantiles[3 * i + j]! * 1e4) / 1e4)
  return {
    asOf,
    clock,
    knots: [...knots],
    p10: level(0),
    p50: level(1),
    p90: level(2),
    confidence: knots.map(() => 'medium'),
    drivers: ['level'],
  }
}
