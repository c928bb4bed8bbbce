export { backtestRange } from './backtest-job.ts'
export { learnOne } from './learn-job.ts'
