import { countQuantiles } from '../numeric/count-quantiles.ts'
import { Sample } from '../numeric/sample.ts'
import type { Series } from '../series.ts'
import { fitLevels, type LevelFit } from './fit.ts'
import { latest } from './latest.ts'
import { smoothing } from './smoothing.ts'

/** The smoothed level for one horizon with all that three methods make of it. */
export interface DirectFit {
  level: number
  /** Of the sum over the horizon, from the errors of past windows; NaN without any. */
  variance: number
  /** Of the sum over the horizon, from the demand's dispersion and the level's uncertainty. */
  modelVariance: number
  /** Past windows that do not overlap. */
  windows: number
  /** P10, P50, P90 of the past windows' errors, around the present level. */
  empirical: Float64Array
}

const CONSTANTS = [0.005, 0.01, 0.02, 0.04, 0.08]
const errors = new Sample()
const memo = latest<DirectFit[]>()

/** Computed once for a series and shared by the methods that build on it. */
export const directFits = (series: Series, horizons: readonly number[]): DirectFit[] =>
  memo(series, horizons, () => fit(series, horizons))

function fit(series: Series, horizons: readonly number[]): DirectFit[] {
  const fits: DirectFit[] = []
  const take = ({ level, variance, constant, windows }: LevelFit, index: number) => {
    const horizon = horizons[index]!
    const empirical = new Float64Array(3)
    if (windows) {
      errors.fill(windows)
      errors.quantiles(empirical, 0)
    }
    fits.push({
      level,
      variance,
      modelVariance: modelVariance(series, level, constant, horizon),
      windows: windows ? (series.length - horizon) / horizon : 0,
      empirical,
    })
  }
  fitLevels(series, smoothing, CONSTANTS, horizons, take, errors)
  return fits
}

/**
 * Demand whose rate is gamma distributed and forgets at the smoothing constant: variance = dispersion
 * × mean × (1 + horizon / steps remembered).
 */
export function modelVariance(series: Series, level: number, constant: number, horizon: number) {
  const remembered = (1 - (1 - constant) ** series.length) / constant
  return series.dispersion * level * horizon * (1 + horizon / Math.max(1, remembered))
}

/** Negative binomial around the level, or around what the model says where no window was seen. */
export function directQuantiles(fit: DirectFit, horizon: number, out: Float64Array, at: number) {
  const variance = fit.windows ? fit.variance : fit.modelVariance
  countQuantiles(horizon * fit.level, variance, out, at)
}
