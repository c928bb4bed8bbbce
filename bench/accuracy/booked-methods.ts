import { equalMix } from '../../engine/forecast/mix.ts'
import { forecastDays } from '../../engine/forecast/forecast-steps.ts'
import type { Forecaster } from '../../engine/forecast/forecaster.ts'
import { METHODS } from '../../engine/forecast/methods/index.ts'
import { seasonalNaive } from '../../engine/forecast/seasonal-naive.ts'
import { contextFor, toSteps } from '../../engine/index.ts'
import type { Subject } from './subjects.ts'

/** One method on the weeks, months or days by which each series is booked, told for days as the engine does. */
const methodSubject = (method: Forecaster): Subject => ({
  name: method.name,
  forecast(history, { day, context: of }, horizons) {
    const context = contextFor(history, day, of)
    const steps = toSteps(history, day, context)
    const quantiles = forecastDays(method, steps, context.posting ?? null, horizons)
    const [...whole] = quantiles.map(Math.round)
    return horizons.map((_, i) => ({
      p10: whole[3 * i]!,
      p50: whole[3 * i + 1]!,
      p90: whole[3 * i + 2]!,
    }))
  },
})

export const BOOKED_METHODS: Subject[] = [...METHODS, seasonalNaive, equalMix(METHODS)].map(
  methodSubject,
)
