import type { DemandHistory, EpochDay } from '../types.ts'
import type { LocationContext } from '../series/context.ts'
import { dailySeries } from '../series/daily.ts'
import { GRID, type ForecastModel } from './model.ts'

/** Forecasts one SKU at one location; reads nothing on or after `asOf`. */
export function forecastPair(
  history: DemandHistory,
  asOf: EpochDay,
  context: LocationContext,
): ForecastModel {
  const { values } = dailySeries(history, asOf, context)
  const model: ForecastModel = { asOf, p10: [], p50: [], p90: [], confidence: [], drivers: [] }
  let floor = [0, 0, 0]
  for (const horizon of GRID) {
    const sums = rollingSums(values, horizon).sort()
    floor = [0.1, 0.5, 0.9].map((level, i) => Math.max(floor[i]!, at(sums, level)))
    model.p10.push(floor[0]!)
    model.p50.push(floor[1]!)
    model.p90.push(floor[2]!)
    model.confidence.push(values.length > 365 ? 'medium' : 'low')
    model.drivers.push(values.length < 90 ? ['level', 'short_history'] : ['level'])
  }
  return model
}

function rollingSums(values: Float64Array, horizon: number): Float64Array {
  const sums = new Float64Array(Math.max(0, values.length - horizon + 1))
  let sum = 0
  for (let i = 0; i < values.length; i++) {
    sum += values[i]! - (i >= horizon ? values[i - horizon]! : 0)
    if (i >= horizon - 1) sums[i - horizon + 1] = sum
  }
  return sums
}

const at = (sorted: Float64Array, level: number) =>
  sorted.length ? sorted[Math.floor(level * (sorted.length - 1))]! : 0
