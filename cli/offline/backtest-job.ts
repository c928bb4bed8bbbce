import {
  backtestPair,
  type BacktestScores,
  type Days,
  type EpochDay,
  type LocationContext,
  noBacktestScores,
} from '../../engine/index.ts'
import { type Histories, historyOf } from './histories.ts'
import type { Range } from './workers.ts'

export interface BacktestJob {
  histories: Histories
  horizons: Days[]
  origins: { day: EpochDay; contexts: LocationContext[] }[]
  /** Position of a pair's location in the contexts. */
  locationOfPair: Int32Array
}

export function backtestRange(job: BacktestJob, { from, to }: Range): BacktestScores {
  const scores = noBacktestScores(job.horizons)
  for (let pair = from; pair < to; pair++) {
    const history = historyOf(job.histories, pair)
    for (const { day, contexts } of job.origins)
      backtestPair(history, day, contexts[job.locationOfPair[pair]!]!, job.horizons, scores)
  }
  return scores
}
