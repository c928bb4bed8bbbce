import {
  addScores,
  byNaturalKey,
  DEMAND_CLASSES,
  emptyScores,
  type BacktestScores,
  type Scores,
} from '../../engine/index.ts'
import type { Pair } from './pairs.ts'

const MOST = 20

/** What the forecasts of one SKU at a location came to, over all horizons. */
export interface PairScores {
  /** Its number in the file. */
  pair: number
  restock: Scores
  seasonalNaive: Scores
}

/** The sums of one pair; null where nothing of it was scored. */
export function scoresOfPair(pair: number, scores: BacktestScores): PairScores | null {
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
export function candidates(all: PairScores[]): PairScores[] {
  const sorted = all.toSorted((a, b) => b.restock.error - a.restock.error)
  const least = sorted[MOST - 1]?.restock.error ?? 0
  return sorted.filter(({ restock }) => restock.error >= least)
}
