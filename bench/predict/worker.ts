import { type ForecastJob, forecastRange } from '../../cli/offline/forecast-job.ts'
import type { Range } from '../../cli/offline/workers.ts'

/** Forecasts a range. @returns the CPU seconds that it took */
export function measureRange(task: { job: ForecastJob; range: Range }): number {
  const before = process.threadCpuUsage()
  forecastRange(task)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1e6
}
