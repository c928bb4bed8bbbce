import { MAX_HORIZON_DAYS } from '../horizon.ts'
import type { Days, Units } from '../types.ts'
import { boost, middleRules, recentreAll } from './boosting/boosting.ts'
import { type Calibration, weightsFor } from './calibration/calibration.ts'
import { p75At, USUAL_UPPER } from './distribution.ts'
import { METHODS } from './methods/index.ts'
import type { Amounts } from './model.ts'
import { equalMix, mix } from './mix.ts'
import { promotionFactorOf } from './promotions.ts'
import type { Series } from './series.ts'
import { yearlyFactorOf } from './yearly.ts'
import {
  chanceFactor,
  unseenSeasonFactor,
  widen,
  widenForUnseenSeason,
  widthFactor,
} from './width.ts'

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
  if (learnt) weighted(learnt, stepDays, stepCounts).forecast(series, stepCounts, out)
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
    widenForUnseenSeason(out, 3 * i, unseenSeasonFactor(steps * stepDays, known)),
  )
  for (let i = 0; i < out.length; i++) out[i]! *= unit
  return amounts
}

/**
 * P75 for each step count, in units, where it does not lie as P50 and P90 tell: by what the past taught, and since a
 * season that was not seen may come or not, which moves P90 and what lies above it alone. Null where it does.
 * @param quantiles in units
 */
export function upperMiddle(
  { stepDays, unit }: Series,
  stepCounts: readonly number[],
  learnt: Calibration | null,
  known: Days,
  quantiles: Float64Array,
): Units[] | null {
  const factors = stepCounts.map((steps) => unseenSeasonFactor(steps * stepDays, known))
  const inPacks = quantiles.map((units) => units / unit)
  const rules = learnt?.boosting && middleRules(learnt.boosting, stepDays, stepCounts, inPacks)
  if (!rules && factors.every((factor) => factor === 1)) return null
  return factors.map((factor, i) => {
    const [p50, p90] = [quantiles[3 * i + 1]!, quantiles[3 * i + 2]!]
    return p75At(rules?.[i]!.upper ?? USUAL_UPPER, p50, p50 + (p90 - p50) / factor)
  })
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
  recentreAll(learnt.boosting, series.stepDays, stepCounts, quantiles)
}

/** The same series with a plan that holds no promotion; null where none is planned anyway. */
function withoutPromotions(series: Series): Series | null {
  const { promotions } = series
  if (!promotions?.coming?.includes(1)) return null
  return { ...series, promotions: { ...promotions, coming: new Uint8Array(MAX_HORIZON_DAYS) } }
}

function weighted(calibration: Calibration, stepDays: Days, stepCounts: readonly number[]) {
  const weights = new Map(
    stepCounts.map((steps) => [steps, weightsFor(calibration, steps * stepDays)]),
  )
  return mix(METHODS, (method, steps) => weights.get(steps)![method]!)
}

/** A calibration of other methods than the present ones says nothing. */
export const matchesMethods = ({ methods }: Calibration) =>
  methods.length === METHODS.length && METHODS.every(({ name }, i) => methods[i] === name)
