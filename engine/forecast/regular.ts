import { MAX_HORIZON_DAYS } from '../horizon.ts'
import type { Days } from '../types.ts'
import { boost } from './boosting/boosting.ts'
import { bucketFor, type Calibration } from './calibration/calibration.ts'
import { METHODS } from './methods/index.ts'
import type { Amounts } from './model.ts'
import { equalMix, mix } from './mix.ts'
import { promotionFactorOf } from './promotions.ts'
import type { Series } from './series.ts'
import { yearlyFactorOf } from './yearly.ts'
import { chanceFactor, unseenSeasonFactor, widen, widenUpper, widthFactor } from './width.ts'

const EQUAL_MIX = equalMix(METHODS)

/**
 * Mixes the methods, corrects the mix by what the past taught, and sets the width, for a series with
 * enough demand to learn from; in units.
 * @param known days since the first row of its location
 */
export function writeRegularQuantiles(
  series: Series,
  stepCounts: readonly number[],
  calibration: Calibration | null,
  known: Days,
  out: Float64Array,
): Amounts {
  const { stepDays, unit } = series
  const learnt = calibration && matchesMethods(calibration) ? calibration : null
  if (learnt) weighted(learnt, stepDays).forecast(series, stepCounts, out)
  else EQUAL_MIX.forecast(series, stepCounts, out)
  const amounts: Amounts = { level: stepCounts.map((_, i) => unit * out[3 * i + 1]!) }
  if (series.year)
    amounts.yearly = stepCounts.map(
      (steps, i) => amounts.level[i]! * (yearlyFactorOf(series, steps) - 1),
    )
  const unplanned = withoutPromotions(series)
  const without = unplanned && out.slice()
  correct(series, stepCounts, learnt, out)
  if (without) {
    correct(unplanned, stepCounts, learnt, without)
    amounts.promotion = stepCounts.map((_, i) => unit * (out[3 * i + 1]! - without[3 * i + 1]!))
  }
  stepCounts.forEach((steps, i) =>
    widenUpper(out, 3 * i, unseenSeasonFactor(steps * stepDays, known)),
  )
  for (let i = 0; i < out.length; i++) out[i]! *= unit
  return amounts
}

function correct(
  series: Series,
  stepCounts: readonly number[],
  learnt: Calibration | null,
  quantiles: Float64Array,
): void {
  stepCounts.forEach((steps, i) => {
    const factor = promotionFactorOf(series, steps) * yearlyFactorOf(series, steps)
    for (let j = 3 * i; j < 3 * i + 3; j++) quantiles[j]! *= factor
    widen(quantiles, 3 * i, widthFactor(steps, series.length))
  })
  if (!learnt?.boosting?.horizons.length) return
  boost(learnt.boosting, series, stepCounts, quantiles)
  stepCounts.forEach((_, i) => widen(quantiles, 3 * i, chanceFactor(quantiles, 3 * i)))
}

/** The same series with a plan that holds no promotion; null where none is planned anyway. */
function withoutPromotions(series: Series): Series | null {
  const { promotions } = series
  if (!promotions?.coming?.includes(1)) return null
  return { ...series, promotions: { ...promotions, coming: new Uint8Array(MAX_HORIZON_DAYS) } }
}

const weighted = (calibration: Calibration, stepDays: Days) =>
  mix(METHODS, (method, steps) => bucketFor(calibration, steps * stepDays).weights[method]!)

/** A calibration of other methods than the present ones says nothing. */
export const matchesMethods = ({ methods }: Calibration) =>
  methods.length === METHODS.length && METHODS.every(({ name }, i) => methods[i] === name)
