import { overDays } from '../../engine/forecast/booked.ts'
import { makeCoherent } from '../../engine/forecast/coherence.ts'
import { METHODS } from '../../engine/forecast/methods/index.ts'
import type { Forecaster } from '../../engine/forecast/forecaster.ts'
import { equalMix } from '../../engine/forecast/mix.ts'
import { prepareSeries } from '../../engine/forecast/series.ts'
import { seasonalNaive } from '../../engine/forecast/seasonal-naive.ts'
import { stepCountsOf } from '../../engine/forecast/step-calendar.ts'
import { contextFor } from '../../engine/series/series-context.ts'
import { toSteps } from '../../engine/series/steps.ts'
import { predictDemand } from '../../engine/index.ts'
import type { Subject } from './subjects.ts'

/** One method on the weeks, months or days that each series is booked by, told for days as the engine does. */
const methodSubject = (method: Forecaster): Subject => ({
  name: method.name,
  forecast(history, { day, context: of }, horizons) {
    const context = contextFor(history, day, of)
    const { values, stepDays } = toSteps(history, day, context)
    const series = prepareSeries(values, stepDays)
    const stepCounts = stepCountsOf(context)
    const quantiles = new Float64Array(3 * stepCounts.length)
    method.forecast(series, stepCounts, quantiles)
    for (let i = 0; i < quantiles.length; i++) quantiles[i]! *= series.unit
    makeCoherent(quantiles)
    const knots = { stepCounts, quantiles, p75: null, tail: null, counts: null }
    const told = context.posting ? overDays(knots, stepDays) : knots
    const [p10, p50, p90] = [0, 1, 2].map((level) =>
      told.stepCounts.map((_, i) => told.quantiles[3 * i + level]!),
    ) as [number[], number[], number[]]
    const model = {
      asOf: day,
      calendar: { kind: 'daily' as const },
      stepCounts: [...told.stepCounts],
      ...{ p10, p50, p90, confidence: [], drivers: [] },
    }
    return horizons.map((horizon) => predictDemand(model, horizon))
  },
})

export const BOOKED_METHODS: Subject[] = [...METHODS, seasonalNaive, equalMix(METHODS)].map(
  methodSubject,
)
