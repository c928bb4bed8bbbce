import type { Days, ForecastAnswer, Level, Units } from '../types.ts'
import { GRID, MAX_HORIZON, type ForecastModel } from './model.ts'

/**
 * The forecast of the total demand over the next `horizon` days, whole and ordered.
 * @throws RangeError for a horizon that is not a whole number of 1..90
 */
export function answer(model: ForecastModel, horizon: Days): ForecastAnswer {
  if (!Number.isInteger(horizon) || horizon < 1 || horizon > MAX_HORIZON)
    throw new RangeError(`horizon must be a whole number of 1..${MAX_HORIZON}`)
  const upper = GRID.findIndex((knot) => knot >= horizon)
  const value = (quantiles: Units[]) => Math.round(interpolate(quantiles, upper, horizon))
  return {
    p10: value(model.p10),
    p50: value(model.p50),
    p90: value(model.p90),
    confidence: model.confidence[upper]!,
    drivers: [...model.drivers[upper]!],
  }
}

function interpolate(quantiles: Units[], upper: number, horizon: Days): number {
  const left = upper > 0 ? GRID[upper - 1]! : 0
  const low = upper > 0 ? quantiles[upper - 1]! : 0
  return low + ((quantiles[upper]! - low) * (horizon - left)) / (GRID[upper]! - left)
}

/** Standard normal quantiles at .1 steps of the level above the median. */
const Z: Record<string, number> = {
  '0.5': 0,
  '0.6': 0.2533471031,
  '0.7': 0.5244005127,
  '0.8': 0.8416212336,
  '0.9': 1.2815515655,
}

/**
 * The demand over `horizon` days that is not exceeded with probability `level` (.1, .2 … .9), whole.
 * P10, P50 and P90 as in {@link answer}; between them P50 ± (P90 − P50 or P50 − P10) · z(level)/z(.9).
 */
export function quantile(model: ForecastModel, horizon: Days, level: Level): Units {
  const { p10, p50, p90 } = answer(model, horizon)
  if (!(level >= 0.1 && level <= 0.9)) throw new RangeError('level must be within .1 and .9')
  const share = normalShare(level)
  if (level > 0.5) return Math.ceil(p50 + (p90 - p50) * share - 1e-9)
  return Math.round(p50 - (p50 - p10) * share)
}

function normalShare(level: Level): number {
  const tenths = Math.abs(level - 0.5) * 10
  const low = Math.floor(tenths + 1e-9)
  const z = (step: number) => Z[(0.5 + step / 10).toFixed(1)]!
  const part = Math.max(0, tenths - low)
  const value = part < 1e-9 ? z(low) : z(low) + (z(low + 1) - z(low)) * part
  return value / z(4)
}
