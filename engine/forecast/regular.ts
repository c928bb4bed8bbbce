import type { Days } from '../types.ts'
import { boost } from './boosting/boosting.ts'
import { bucketFor, type Calibration } from './calibration/calibration.ts'
import { METHODS } from './methods/index.ts'
import { equalMix, mix } from './mix.ts'
import type { Series } from './series.ts'
import { unseenSeasonFactor, widen, widenUpper, widthFactor } from './width.ts'

const EQUAL_MIX = equalMix(METHODS)

/**
 * Mixes the methods, corrects the mix by what the past taught, and sets the width, for a series with
 * enough demand to learn from; in units.
 * @param known days since the first row of its location
 */
export function regularQuantiles(
  series: Series,
  knots: readonly number[],
  calibration: Calibration | null,
  known: Days,
  out: Float64Array,
): void {
  const { stepDays, length, unit } = series
  const learnt = calibration && fits(calibration) ? calibration : null
  if (learnt) weighted(learnt, stepDays).forecast(series, knots, out)
  else EQUAL_MIX.forecast(series, knots, out)
  for (let i = 0; i < knots.length; i++) widen(out, 3 * i, widthFactor(knots[i]!, length))
  if (learnt?.boosting) boost(learnt.boosting, series, knots, out)
  knots.forEach((knot, i) => widenUpper(out, 3 * i, unseenSeasonFactor(knot * stepDays, known)))
  for (let i = 0; i < out.length; i++) out[i]! *= unit
}

const weighted = (calibration: Calibration, stepDays: Days) =>
  mix(METHODS, (method, knot) => bucketFor(calibration, knot * stepDays).weights[method]!)

/** A calibration of other methods than the present ones says nothing. */
const fits = ({ methods }: Calibration) =>
  methods.length === METHODS.length && METHODS.every(({ name }, i) => methods[i] === name)
