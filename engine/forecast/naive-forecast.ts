import { EMPTY_CONTEXT, type LocationContext } from '../series/location-context.ts'
import { contextFor } from '../series/series-context.ts'
import { toSteps } from '../series/steps.ts'
import type { Days, DemandHistory, EpochDay, Quantiles } from '../types.ts'
import { forecastDays } from './forecast-steps.ts'
import { seasonalNaive } from './seasonal-naive.ts'

/** What repeating the last season says of the days from `asOf` on: what a forecast must be better than. */
export function naiveForecast(
  history: DemandHistory,
  asOf: EpochDay,
  context: LocationContext,
  horizon: Days,
): Quantiles {
  const { posting } = contextFor(history, asOf, context)
  const steps = toSteps(history, asOf, posting ? { ...EMPTY_CONTEXT, posting } : EMPTY_CONTEXT)
  const said = forecastDays(seasonalNaive, steps, posting ?? null, [horizon])
  const [p10, p50, p90] = Array.from(said, Math.round)
  return { p10: p10!, p50: p50!, p90: p90! }
}
