import type { Days, ForecastAnswer, Level, Units } from '../types.ts'
import { stepsWithin } from './clock.ts'
import { type ForecastModel, MAX_HORIZON } from './model.ts'
import { normalQuantile } from './numeric/normal.ts'
import { Z90 } from './numeric/levels.ts'

/**
 * The forecast of the total demand over the next `horizon` days, whole and in order.
 * @throws RangeError for a horizon that is not a whole number of 1..90
 */
export function answer(model: ForecastModel, horizon: Days): ForecastAnswer {
  if (!Number.isInteger(horizon) || horizon < 1 || horizon > MAX_HORIZON)
    throw new RangeError(`horizon must be a whole number of 1..${MAX_HORIZON}`)
  const { knots, confidence, drivers } = model
  const steps = stepsWithin(model.clock, horizon)
  let upper = 0
  while (upper < knots.length - 1 && knots[upper]! < steps) upper++
  const at = (quantiles: Units[]) => Math.round(interpolate(knots, quantiles, upper, steps))
  return {
    p10: at(model.p10),
    p50: at(model.p50),
    p90: at(model.p90),
    confidence: confidence[upper] ?? 'low',
    drivers: [...drivers],
  }
}

/** Straight between two knots, and from nothing at no step. */
function interpolate(knots: number[], quantiles: Units[], upper: number, steps: number): number {
  if (!knots.length) return 0
  const left = upper ? knots[upper - 1]! : 0
  const below = upper ? quantiles[upper - 1]! : 0
  const share = Math.min(1, (steps - left) / (knots[upper]! - left))
  return below + (quantiles[upper]! - below) * share
}

/**
 * The demand over `horizon` days that is not exceeded with probability `level` (.1 to .9), whole:
 * P10, P50 and P90 as in {@link answer}; between them P50 + (P90 − P50) · z(level) / z(.9), rounded
 * up, and P50 − (P50 − P10) · z(1 − level) / z(.9), rounded.
 * @throws RangeError for another level or horizon
 */
export function quantile(model: ForecastModel, horizon: Days, level: Level): Units {
  if (!(level >= 0.1 && level <= 0.9)) throw new RangeError('level must be within .1 and .9')
  const { p10, p50, p90 } = answer(model, horizon)
  const share = Math.abs(normalQuantile(level)) / Z90
  if (level <= 0.5) return Math.round(p50 - (p50 - p10) * share)
  return Math.min(p90, Math.ceil(p50 + (p90 - p50) * share - 1e-9))
}
