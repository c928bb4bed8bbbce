import { EMPTY_CONTEXT, type LocationContext } from '../series/location-context.ts'
import { type DemandClass, demandClassOf } from '../series/demand-class.ts'
import { unitsOf } from '../series/quantity.ts'
import { contextFor } from '../series/series-context.ts'
import { spreadBookings } from '../series/spread-bookings.ts'
import { toSteps } from '../series/steps.ts'
import type { Days, DemandHistory, EpochDay, Units } from '../types.ts'
import type { Calibration } from './calibration/calibration.ts'
import { predictDemand } from './predict-demand.ts'
import { forecastPair } from './forecast-pair.ts'
import { forecastDays } from './forecast-steps.ts'
import { addCase, addScores, emptyScores, type Scores } from './scores.ts'
import { seasonalNaive } from './seasonal-naive.ts'

/** Which origins of a series are scored. */
export interface CaseRule {
  /** Days since the first sale. */
  days: Days
  sales: number
  /** Sales in the last 365 days: a few dormant series would rule the mean. */
  recentSales: number
}

/** What was known of the other series by the origin. */
export interface OriginContext {
  context: LocationContext
  calibration?: Calibration | null
}

export const DEFAULT_CASE_RULE: CaseRule = { days: 90, sales: 3, recentSales: 2 }

/** A history that also tells what was forecast for its days by those who planned them. */
export interface BacktestHistory extends DemandHistory {
  /** Units for each of `days`, NaN where nothing was forecast. */
  baseline?: Float64Array
}

/** Scores by horizon of the engine and of the yardsticks. */
export interface BacktestComparison {
  restock: Scores[]
  seasonalNaive: Scores[]
  /** What the history says was forecast, and the engine on the same cases; of it only the P50 counts. */
  baseline: Scores[]
  restockOnBaselineCases: Scores[]
}

/** By how regular the demand was before the origin. */
export type BacktestScores = Record<DemandClass, BacktestComparison>

const emptyComparison = (horizons: readonly Days[]): BacktestComparison => ({
  restock: horizons.map(emptyScores),
  seasonalNaive: horizons.map(emptyScores),
  baseline: horizons.map(emptyScores),
  restockOnBaselineCases: horizons.map(emptyScores),
})

export const emptyBacktestScores = (horizons: readonly Days[]): BacktestScores => ({
  smooth: emptyComparison(horizons),
  erratic: emptyComparison(horizons),
  intermittent: emptyComparison(horizons),
  lumpy: emptyComparison(horizons),
})

/** The sum of some scores of the same horizons. */
export function sumComparisons(
  all: readonly BacktestComparison[],
  horizons: readonly Days[],
): BacktestComparison {
  const total = emptyComparison(horizons)
  for (const one of all)
    for (const of of Object.keys(total) as (keyof BacktestComparison)[])
      total[of].forEach((scores, i) => addScores(scores, one[of][i]!))
  return total
}

/**
 * Forecasts a series as of a past day, as if nothing were known from then on, and adds to `scores`
 * how that compares with what was sold.
 * @param history reaches over the longest horizon after `origin`
 */
export function backtestPair(
  history: BacktestHistory,
  origin: EpochDay,
  known: OriginContext,
  horizons: readonly Days[],
  scores: BacktestScores,
  rule: CaseRule = DEFAULT_CASE_RULE,
): void {
  const scale = scaleOf(history, origin, rule)
  if (scale === null) return
  const model = forecastPair(history, origin, known.context, known.calibration)
  const { posting } = contextFor(history, origin, known.context)
  const steps = toSteps(history, origin, posting ? { ...EMPTY_CONTEXT, posting } : EMPTY_CONTEXT)
  const naive = forecastDays(seasonalNaive, steps, posting ?? null, horizons)
  const sold = posting ? spreadBookings(history, posting) : history
  const own = scores[demandClassOf(steps)]
  horizons.forEach((horizon, i) => {
    const demand = demandBetween(sold, origin, origin + horizon)
    const forecast = predictDemand(model, horizon)
    const [p10, p50, p90] = Array.from(naive.subarray(3 * i, 3 * i + 3), Math.round)
    addCase(own.restock[i]!, demand, forecast, scale, horizon)
    addCase(own.seasonalNaive[i]!, demand, { p10: p10!, p50: p50!, p90: p90! }, scale, horizon)
    const baseline = baselineBetween(history, origin, origin + horizon)
    if (baseline === null) return
    const point = { p10: baseline, p50: baseline, p90: baseline }
    addCase(own.baseline[i]!, demand, point, scale, horizon)
    addCase(own.restockOnBaselineCases[i]!, demand, forecast, scale, horizon)
  })
}

/** The sum of what was forecast for each of the days; null where one of them has no forecast. */
function baselineBetween(
  { days, baseline }: BacktestHistory,
  from: EpochDay,
  to: EpochDay,
): Units | null {
  if (!baseline) return null
  const forecast = new Set<EpochDay>()
  let sum = 0
  for (let i = 0; i < days.length; i++) {
    if (days[i]! < from || days[i]! >= to || Number.isNaN(baseline[i])) continue
    forecast.add(days[i]!)
    sum += baseline[i]!
  }
  return forecast.size === to - from ? sum : null
}

/** Mean absolute change of the daily demand from the first sale to the origin; null for no case. */
export function scaleOf(history: DemandHistory, origin: EpochDay, rule: CaseRule): Units | null {
  const { days, quantities } = history
  let first = Infinity
  let sales = 0
  let recent = 0
  for (let i = 0; i < days.length; i++) {
    if (days[i]! >= origin || unitsOf(quantities[i]!) === 0) continue
    if (days[i]! < first) first = days[i]!
    sales++
    if (days[i]! >= origin - 365) recent++
  }
  if (!(origin - first >= rule.days) || sales < rule.sales || recent < rule.recentSales) return null
  return meanChange(history, first, origin)
}

function meanChange({ days, quantities }: DemandHistory, first: EpochDay, origin: EpochDay): Units {
  const daily = new Float64Array(origin - first)
  for (let i = 0; i < days.length; i++)
    if (days[i]! >= first && days[i]! < origin) daily[days[i]! - first]! += unitsOf(quantities[i]!)
  let change = 0
  for (let t = 1; t < daily.length; t++) change += Math.abs(daily[t]! - daily[t - 1]!)
  return change / (daily.length - 1)
}

export function demandBetween(
  { days, quantities }: DemandHistory,
  from: EpochDay,
  to: EpochDay,
): Units {
  let demand = 0
  for (let i = 0; i < days.length; i++)
    if (days[i]! >= from && days[i]! < to) demand += unitsOf(quantities[i]!)
  return demand
}
