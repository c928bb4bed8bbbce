import type { BacktestScores } from '../../engine/index.ts'
import { type BacktestJob, backtestRange } from './backtest-job.ts'
import type { Range } from './workers.ts'

export default ({ job, range }: { job: BacktestJob; range: Range }): BacktestScores =>
  backtestRange(job, range)
