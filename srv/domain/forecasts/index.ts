// Forecasts: made from demand and planned events, stored, and looked up.
export { type CleanedDay, cleaningOf, promotionDaysOf } from './cleaning.ts'
export { forecastFrom, loadLearnt } from './learn.ts'
export {
  dropForecastsOfLedPairs,
  type FoundForecast,
  type LookupAnswer,
  lookUpForecasts,
  markOutdatedSeries,
  noteForecastsChanged,
} from './lookup.ts'
export {
  forecastsOf,
  loadOverrides,
  OVERRIDE_COLUMNS,
  type OverrideRow,
  selected,
} from './overrides.ts'
export { runForecasts } from './run.ts'
export { closePool, onThread } from './threads.ts'
