export { forecastRange } from './forecast-job.ts'
export { learnOne } from './learn-job.ts'
