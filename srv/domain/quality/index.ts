// The quality of forecasts: of a sample of pairs, of the ERP's own forecasts, and of planners' overrides.
export { measureForecasts } from './measure.ts'
export { keepNewOverride, readValueAdded, type ValueAdded } from './overrides.ts'
export { qualityReport, type QualityGroup, type QualityReport, type WorstPair } from './report.ts'
export { latestScores, type StoredScore } from './scores.ts'
