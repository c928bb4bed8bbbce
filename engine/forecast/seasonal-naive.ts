import { writeCountQuantiles } from './numeric/count-quantiles.ts'
import { Sample } from './numeric/sample.ts'
import type { Forecaster } from './forecaster.ts'
import { modelVariance } from './estimators/direct.ts'
import { strideFor } from './estimators/windows.ts'
import type { Series } from './series.ts'

const sample = new Sample()

/**
 * The yardstick of backtests, not part of the mix: the last season once more (a week of days, else a
 * year where there are two, else the last step), with the quantiles of its own past errors.
 */
export const seasonalNaive: Forecaster = {
  name: 'seasonal-naive',
  forecast(series, horizons, out) {
    const season = seasonOf(series)
    for (let i = 0; i < horizons.length; i++) naive(series, season, horizons[i]!, out, 3 * i)
  },
}

function seasonOf({ stepDays, length }: Series): number {
  if (stepDays === 1) return 7
  const year = Math.round(365.25 / stepDays)
  return length >= 2 * year ? year : 1
}

function naive(series: Series, season: number, horizon: number, out: Float64Array, at: number) {
  const { length, sums, mean } = series
  const point = repeated(sums, length, season, horizon)
  const available = length - season - horizon + 1
  if (available < 2)
    return writeCountQuantiles(point, modelVariance(series, mean, 0.01, horizon), out, at)
  const stride = strideFor(available, series.stepDays)
  const count = Math.ceil(available / stride)
  for (let i = 0; i < count; i++) {
    const start = length - horizon - i * stride
    const demand = sums[start + horizon]! - sums[start]!
    sample.values[i] = demand - repeated(sums, start, season, horizon)
    sample.weights[i] = 1
  }
  sample.fill(count)
  sample.quantiles(out, at)
  for (let j = 0; j < 3; j++) out[at + j] = Math.max(0, point + out[at + j]!)
}

/** The `season` steps before `end`, again and again for `horizon` steps. */
function repeated(sums: Float64Array, end: number, season: number, horizon: number): number {
  const start = Math.max(0, end - season)
  const length = end - start
  if (length === 0) return 0
  const times = Math.floor(horizon / length)
  const rest = horizon - times * length
  return times * (sums[end]! - sums[start]!) + sums[start + rest]! - sums[start]!
}
