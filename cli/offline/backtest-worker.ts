export { backtestRange } from './backtest-job.ts'
export { learn } from './learn-job.ts'
