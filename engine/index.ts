/**
 * Changes with every change of a number that the engine gives: what it has stored is then made anew. Its first two numbers change
 * where the shape of what is stored does.
 */
export const ENGINE_VERSION = '0.13.7'
/** Stored forecasts whose engine's version begins so can be read until they are made anew, also by the engine before. */
export const READABLE_ENGINES = ENGINE_VERSION.slice(0, ENGINE_VERSION.lastIndexOf('.') + 1)

export type * from './types.ts'
export { ABC_CLASSES, type AbcClass, abcClasses } from './abc.ts'
export { MAX_HORIZON_DAYS } from './horizon.ts'
export { toDate, toEpochDay } from './series/calendar.ts'
export {
  EMPTY_CONTEXT,
  locationContext,
  type Booking,
  type LocationContext,
} from './series/location-context.ts'
export { DEMAND_CLASSES, type DemandClass, demandClassOf } from './series/demand-class.ts'
export { netReturns } from './series/net-returns.ts'
export { isCensored, salesWithoutStock, sellsWithoutStock } from './series/censored-days.ts'
export { toSteps } from './series/steps.ts'
export { nextBookedBy, type Posting, stepDaysOf } from './series/posting.ts'
export { type PeriodOrigin, periodOrigins } from './series/whole-periods.ts'
export { describeBookings } from './series/describe-bookings.ts'
export { contextFor } from './series/series-context.ts'
export {
  circlesOf,
  type Inheritance,
  inheritancesOf,
  isNearEnd,
  isSameUnit,
  mergeHistories,
  type ShareBefore,
  sharesBefore,
  type Succession,
} from './series/successions.ts'
export { bookingDay, spreadBookings } from './series/spread-bookings.ts'
export { historyDays, LEARNING_DAYS, saysLittle } from './series/look-back.ts'
export { byNaturalKey, byText, pickPairs, scatter } from './series/natural-order.ts'
export {
  isWithin,
  PLAN_KINDS,
  PlanBook,
  type PlannedEvent,
  type PlannedPair,
  type SeriesPlan,
} from './series/plan-book.ts'
export type { Holiday } from './series/holidays.ts'
export { ContextLearner, contextsOf, type HolidaysAt } from './series/location-contexts.ts'
export { forecastPair } from './forecast/forecast-pair.ts'
export { type CleanedDay, cleanedDays, type CleaningReason } from './forecast/cleaned-days.ts'
export {
  daysUntil,
  predictDemand,
  predictUntil,
  type DriverShare,
  splitByDriver,
  demandDistribution,
  demandPace,
  predictQuantiles,
} from './forecast/predict-demand.ts'
export {
  type DayOverride,
  dayOverrides,
  expectedOf,
  type ForecastOverride,
  overriddenDistribution,
  overriddenQuantiles,
} from './forecast/override.ts'
export {
  type ExpectedTotal,
  OverrideBook,
  type SelectedOverride,
} from './forecast/override-book.ts'
export { naiveForecast } from './forecast/naive-forecast.ts'
export { type Distribution, quantileOf } from './forecast/distribution.ts'
export { describeMissing } from './forecast/missing-data.ts'
export { type ForecastModel, parseModel } from './forecast/model.ts'
export { inheritedModel } from './forecast/inherited-model.ts'
export {
  sumComparisons,
  type BacktestHistory,
  backtestPair,
  type BacktestScores,
  type CaseRule,
  type BacktestComparison,
  demandBetween,
  emptyBacktestScores,
  scaleOf,
  DEFAULT_CASE_RULE,
} from './forecast/backtest.ts'
export {
  addScores,
  emptyScores,
  type Metrics,
  metricsOf,
  pinballLoss,
  type Scores,
} from './forecast/scores.ts'
export { calibrationSample, learningSample } from './forecast/calibration/sample.ts'
export {
  calibrate,
  calibrationOf,
  learnHorizon,
  type LearntHorizon,
} from './forecast/calibration/calibrate.ts'
export { type Calibration, LEARNT_HORIZONS } from './forecast/calibration/calibration.ts'
export type { SampledSeries } from './forecast/calibration/past-series.ts'
