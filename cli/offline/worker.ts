// What threads do, by name.
export { backtestRange } from './backtest-job.ts'
export { forecastRange } from './forecast-job.ts'
export { learnOne } from './learn-job.ts'
export { replayOrders } from '../pilot/replay-job.ts'
