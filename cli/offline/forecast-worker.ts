export { forecastRange } from './forecast-job.ts'
export { learn } from './learn-job.ts'
