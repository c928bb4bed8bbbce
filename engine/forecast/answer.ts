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
  const steps = stepsWithin(model.clock, horizon)
  const knot = knotFor(model, steps)
  const p50 = valueAt(model, model.p50, steps)
  return {
    p10: valueAt(model, model.p10, steps),
    p50,
    p90: valueAt(model, model.p90, steps),
    confidence: model.confidence[knot] ?? 'low',
    drivers: withWeekday(model, p50, horizon),
  }
}

/** The first knot with at least so many steps. */
function knotFor({ knots }: ForecastModel, steps: number): number {
  let knot = 0
  while (knot < knots.length - 1 && knots[knot]! < steps) knot++
  return knot
}

/** The weekdays are a driver where they move the P50 by a unit and by 5 %. */
function withWeekday(model: ForecastModel, p50: Units, horizon: Days): string[] {
  const { clock, drivers } = model
  if (clock.kind !== 'daily' || !clock.weekdays) return [...drivers]
  const flat = valueAt(model, model.p50, horizon)
  const moved = Math.abs(p50 - flat)
  if (moved < 1 || moved < 0.05 * flat) return [...drivers]
  const at = drivers.findIndex((driver) => !FIRST.has(driver))
  return drivers.toSpliced(at < 0 ? drivers.length : at, 0, 'weekly_seasonality')
}

const FIRST: ReadonlySet<string> = new Set(['level', 'trend_up', 'trend_down'])

/** Straight between two knots and from nothing at no step; whole. */
function valueAt(model: ForecastModel, quantiles: Units[], steps: number): Units {
  const { knots } = model
  if (!knots.length) return 0
  const upper = knotFor(model, steps)
  const left = upper ? knots[upper - 1]! : 0
  const below = upper ? quantiles[upper - 1]! : 0
  const share = Math.min(1, (steps - left) / (knots[upper]! - left))
  return Math.round(below + (quantiles[upper]! - below) * share)
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
