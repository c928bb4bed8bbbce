import { METHODS } from '../../engine/forecast/methods/index.ts'
import { forecastSteps } from '../../engine/forecast/forecast-steps.ts'
import type { Forecaster } from '../../engine/forecast/forecaster.ts'
import { seasonalNaive } from '../../engine/forecast/seasonal-naive.ts'
import {
  predictDemand,
  type Days,
  type DemandHistory,
  EMPTY_CONTEXT,
  forecastPair,
} from '../../engine/index.ts'
import { toSteps } from '../../engine/series/steps.ts'
import { type Origin, withPlan } from './sets.ts'

export interface Quantiles {
  p10: number
  p50: number
  p90: number
}

/** A forecaster to be scored; it returns rounded quantiles of total demand, one triple per horizon. */
export interface Subject {
  name: string
  forecast(history: DemandHistory, origin: Origin, horizons: readonly Days[]): Quantiles[]
}

export const ENGINE: Subject = {
  name: 'restock',
  forecast(history, { day, context, calibration }, horizons) {
    const model = forecastPair(history, day, context, calibration)
    return horizons.map((horizon) => predictDemand(model, horizon))
  },
}

/** The engine without calibration: all methods have equal weights. */
export const EQUAL_MIX: Subject = {
  name: 'restock, equal mix',
  forecast: (history, origin, horizons) =>
    ENGINE.forecast(history, { ...origin, calibration: null }, horizons),
}

/** The engine with learnt weights, but without the trees. */
export const WITHOUT_TREES: Subject = {
  name: 'restock, weights only',
  forecast: (history, origin, horizons) => {
    const { calibration } = origin
    const weights = calibration && { ...calibration, boosting: undefined }
    return ENGINE.forecast(history, { ...origin, calibration: weights }, horizons)
  },
}

/** The engine with a plan of future promotions. */
export const PROMOTIONS_KNOWN: Subject = {
  name: 'restock, promotions known',
  forecast: (history, origin, horizons) =>
    ENGINE.forecast(
      withPlan(history, origin.day),
      { ...origin, calibration: origin.planned },
      horizons,
    ),
}

/** One method alone. */
function methodSubject(method: Forecaster): Subject {
  return {
    name: method.name,
    forecast(history, { day }, horizons) {
      const steps = toSteps(history, day, EMPTY_CONTEXT)
      const quantiles = forecastSteps(method, steps, horizons).map(Math.round)
      return horizons.map((_, i) => ({
        p10: quantiles[3 * i]!,
        p50: quantiles[3 * i + 1]!,
        p90: quantiles[3 * i + 2]!,
      }))
    },
  }
}

/** Unweighted quantiles of all windows of the last year, like the reference of this name. */
export const HISTORICAL_YEAR: Subject = {
  name: 'historical simulation, 1 year',
  forecast(history, { day }, horizons) {
    const { values } = toSteps(history, day, EMPTY_CONTEXT)
    const year = values.subarray(Math.max(0, values.length - 365))
    return horizons.map((horizon) => {
      const sums = windowSums(year, horizon).sort()
      const at = (level: number) => sums[Math.max(0, Math.ceil(level * sums.length) - 1)] ?? 0
      return { p10: at(0.1), p50: at(0.5), p90: at(0.9) }
    })
  },
}

function windowSums(values: Float64Array, horizon: number): Float64Array {
  const sums = new Float64Array(Math.max(0, values.length - horizon + 1))
  let sum = 0
  values.forEach((value, t) => {
    sum += value - (t >= horizon ? values[t - horizon]! : 0)
    if (t >= horizon - 1) sums[t - horizon + 1] = sum
  })
  return sums
}

export const SINGLE_METHODS: Subject[] = [...METHODS, seasonalNaive].map(methodSubject)
