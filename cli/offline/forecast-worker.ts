import { type ForecastJob, forecastRange, type ForecastLines } from './forecast-job.ts'
import type { Range } from './workers.ts'

export default ({ job, range }: { job: ForecastJob; range: Range }): ForecastLines =>
  forecastRange(job, range)
