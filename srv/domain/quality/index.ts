// How good forecasts were: of a sample of pairs, of those of the ERP beside them, and of what planners said instead.
export { measureForecasts } from './measure.ts'
export { keepNewOverride, readValueAdded, type ValueAdded } from './overrides.ts'
export { qualityReport, type QualityGroup, type QualityReport, type WorstPair } from './report.ts'
