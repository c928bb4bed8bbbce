import type { Forecaster } from '../forecaster.ts'
import { writeCountQuantiles } from '../numeric/count-quantiles.ts'
import type { Series } from '../series.ts'

const CONSTANTS = [0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3]
/** A level that follows quicker than the horizon lasts is noise there. */
const QUICKEST = 3

const levels = new Float64Array(CONSTANTS.length)
const squares = new Float64Array(CONSTANTS.length)

/**
 * Simple exponential smoothing, its constant chosen one step ahead among those slow enough for the
 * horizon; variance of the sum as the local level model has it (Hyndman et al. 2008, 6.1).
 */
export const simpleSmoothing: Forecaster = {
  name: 'smoothing',
  forecast(series, horizons, out) {
    run(series)
    horizons.forEach((horizon, i) => {
      const best = bestFor(horizon)
      const a = CONSTANTS[best]!
      const steps = horizon - 1
      const growth = 1 + a * steps + (a * a * steps * (2 * horizon - 1)) / 6
      const variance = (squares[best]! / Math.max(1, series.length - 1)) * horizon * growth
      writeCountQuantiles(horizon * levels[best]!, variance, out, 3 * i)
    })
  },
}

function run({ values, capped, length }: Series): void {
  const first = length ? capped[0]! : 0
  for (let i = 0; i < levels.length; i++) {
    const constant = CONSTANTS[i]!
    const averaged = Math.min(length, Math.ceil(1 / constant))
    let level = first
    let sum = 0
    for (let t = 1; t < averaged; t++) {
      const error = values[t]! - level
      sum += error * error
      level += Math.max(constant, 1 / (t + 1)) * (capped[t]! - level)
    }
    for (let t = Math.max(1, averaged); t < length; t++) {
      const error = values[t]! - level
      sum += error * error
      level += constant * (capped[t]! - level)
    }
    levels[i] = level
    squares[i] = sum
  }
}

function bestFor(horizon: number): number {
  let best = 0
  for (let i = 1; i < CONSTANTS.length; i++)
    if (CONSTANTS[i]! * horizon <= QUICKEST && squares[i]! < squares[best]!) best = i
  return best
}
