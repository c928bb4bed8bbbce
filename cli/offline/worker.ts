import { workerData } from 'piscina'
import { type ForecastJob, forecastRange, type ForecastLines, type Range } from './forecast-job.ts'

export default (range: Range): ForecastLines => forecastRange(workerData as ForecastJob, range)
