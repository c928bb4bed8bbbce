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

/** A past day to forecast from, with the context and calibration of that day. */
export interface Origin {
  day: EpochDay
  contexts: LocationContext[]
  calibration: Calibration | null
}

export interface BacktestJob {
  histories: Histories
  horizons: Days[]
  origins: Origin[]
  /** Index of each pair's location in `contexts`. */
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
