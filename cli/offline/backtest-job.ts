import {
  backtestPair,
  type Calibration,
  type BacktestScores,
  type Days,
  type EpochDay,
  type LocationContext,
  emptyBacktestScores,
} from '../../engine/index.ts'
import { type Histories, historyOf } from './histories.ts'
import type { Range } from './workers.ts'

/** A past day with all that was known by then. */
export interface Origin {
  day: EpochDay
  contexts: LocationContext[]
  calibration: Calibration | null
}

export interface BacktestJob {
  histories: Histories
  horizons: Days[]
  origins: Origin[]
  /** Position of a pair's location in the contexts. */
  locationOfPair: Int32Array
}

export function backtestRange({ job, range }: { job: BacktestJob; range: Range }): BacktestScores {
  const { from, to } = range
  const scores = emptyBacktestScores(job.horizons)
  for (let pair = from; pair < to; pair++) {
    const history = historyOf(job.histories, pair)
    for (const { day, contexts, calibration } of job.origins) {
      const known = { context: contexts[job.locationOfPair[pair]!]!, calibration }
      backtestPair(history, day, known, job.horizons, scores)
    }
  }
  return scores
}
