import {
  addScores,
  backtestPair,
  byNaturalKey,
  DEMAND_CLASSES,
  emptyBacktestScores,
  emptyScores,
  sumComparisons,
} from '../../engine/index.ts'
import type {
  BacktestScores,
  Calibration,
  Days,
  EpochDay,
  LocationContext,
  Scores,
} from '../../engine/index.ts'
import { type Histories, historyOf } from './histories.ts'
import type { Pair } from './pairs.ts'
import type { Range } from './workers.ts'

const MOST = 20

/** What the forecasts of one SKU at a location came to, over all horizons. */
export interface PairScores {
  /** Its number in the file. */
  pair: number
  restock: Scores
  seasonalNaive: Scores
}

/** The sums of one pair; null where nothing of it was scored. */
function scoresOfPair(pair: number, scores: BacktestScores): PairScores | null {
  const sum = { pair, restock: emptyScores(), seasonalNaive: emptyScores() }
  for (const name of DEMAND_CLASSES) {
    for (const each of scores[name].restock) addScores(sum.restock, each)
    for (const each of scores[name].seasonalNaive) addScores(sum.seasonalNaive, each)
  }
  return sum.restock.cases ? sum : null
}

/** Those whose P50 was the most units off in all, the worst first. */
export function worstOf(all: PairScores[], pairs: readonly Pair[]): PairScores[] {
  const order = (a: PairScores, b: PairScores) =>
    b.restock.error - a.restock.error || byNaturalKey(pairs[a.pair]!, pairs[b.pair]!)
  return all.sort(order).slice(0, MOST)
}

/** Those that can be among the worst of all. */
function candidates(all: PairScores[]): PairScores[] {
  const sorted = all.toSorted((a, b) => b.restock.error - a.restock.error)
  const least = sorted[MOST - 1]?.restock.error ?? 0
  return sorted.filter(({ restock }) => restock.error >= least)
}

/** A past day to forecast from, with the context and calibration of that day. */
export interface Origin {
  day: EpochDay
  contexts: LocationContext[]
  calibration: Calibration | null
  horizons: Days[]
}

interface BacktestJob {
  histories: Histories
  origins: Origin[]
  /** Index of each pair's location in `contexts`. */
  locationOfPair: Int32Array
}

/** The sums of a range of pairs, and of each of them that can be among the worst. */
interface RangeScores {
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
