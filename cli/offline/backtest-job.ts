import {
  backtestPair,
  type Calibration,
  type BacktestScores,
  type Days,
  type EpochDay,
  type LocationContext,
  DEMAND_CLASSES,
  emptyBacktestScores,
  sumComparisons,
} from '../../engine/index.ts'
import { candidates, type PairScores, scoresOfPair } from './backtest-worst.ts'
import { type Histories, historyOf } from './histories.ts'
import type { Range } from './workers.ts'

/** A past day to forecast from, with the context and calibration of that day. */
export interface Origin {
  day: EpochDay
  contexts: LocationContext[]
  calibration: Calibration | null
  horizons: Days[]
}

export interface BacktestJob {
  histories: Histories
  origins: Origin[]
  /** Index of each pair's location in `contexts`. */
  locationOfPair: Int32Array
}

/** The sums of a range of pairs, and of each of them that can be among the worst. */
export interface RangeScores {
  scores: BacktestScores
  worst: PairScores[]
}

export function backtestRange({ job, range }: { job: BacktestJob; range: Range }): RangeScores {
  const horizons = job.origins[0]?.horizons ?? []
  const scores = emptyBacktestScores(horizons)
  const pairs: PairScores[] = []
  for (let pair = range.from; pair < range.to; pair++) {
    const own = emptyBacktestScores(horizons)
    const history = historyOf(job.histories, pair)
    for (const origin of job.origins) {
      const { day, contexts, calibration } = origin
      const known = { context: contexts[job.locationOfPair[pair]!]!, calibration }
      backtestPair(history, day, known, origin.horizons, own)
    }
    const sums = scoresOfPair(pair, own)
    if (!sums) continue
    pairs.push(sums)
    for (const name of DEMAND_CLASSES)
      scores[name] = sumComparisons([scores[name], own[name]], horizons)
  }
  return { scores, worst: candidates(pairs) }
}
