import { Sample } from '../numeric/sample.ts'
import type { Series } from '../series.ts'
import { fitLevels, type LevelFit } from './fit.ts'
import { memoizeLatest } from './memoize-latest.ts'
import { smoothing } from './smoothing.ts'
import { windowWeight } from './windows.ts'

/** The smoothed level for one horizon with all that three methods make of it. */
export interface DirectFit {
  level: number
  /** By which the level forgets, a step. */
  constant: number
  /** Of the sum over the horizon, from the errors of past windows as far as they are windowWeight. */
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
const memo = memoizeLatest<DirectFit[]>()

/** Computed once for a series and shared by the methods that build on it. */
export const fitDirectLevels = (series: Series, horizons: readonly number[]): DirectFit[] =>
  memo(series, horizons, () => fit(series, horizons))

function fit(series: Series, horizons: readonly number[]): DirectFit[] {
  const fits: DirectFit[] = []
  const take = (fit: LevelFit, index: number) => {
    const { level, constant, windows } = fit
    const horizon = horizons[index]!
    const empirical = new Float64Array(3)
    if (windows) {
      errors.fill(windows)
      errors.quantiles(empirical, 0)
    }
    fits.push({
      level,
      constant,
      variance: blendVariance(series, fit, horizon),
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

/** The variance that past windows had, drawn to the model's where they are few. */
export function blendVariance(series: Series, fit: LevelFit, horizon: number): number {
  const { level, constant, variance, windows } = fit
  const model = modelVariance(series, level, constant, horizon)
  if (!windows) return model
  return model + windowWeight(series.length, horizon) * (variance - model)
}
