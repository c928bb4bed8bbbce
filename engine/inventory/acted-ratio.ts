import type { Days } from '../types.ts'

/** What a year of stock says of one pair. */
export interface PastStock {
  /** How many pairs it stands for. */
  weight: number
  /** Days on which the shelf was not empty. */
  daysInStock: Days
  /** How often it became empty. */
  stockouts: number
  /** How often something was wanted meanwhile, as expected: at most `stockouts`. */
  shortages: number
}

/** By which ratio a company acted: a unit short costs as much as carrying one for so many weeks. */
export interface ActedRatio {
  weeks: number
  /** In nine of ten cases it lies between them. */
  low: number
  high: number
  /** What it is found from. */
  pairs: number
  stockouts: number
}

/** Fewer say nothing, however even they are. */
export const LEAST_STOCKOUTS = 10
/** A band wider than from a half to twice the ratio says nothing either. */
const WIDEST = 2
/** Of the normal distribution, for nine of ten. */
const BAND = 1.645
/** Standard deviation of the logarithm that stays however many pairs there are; bench/inventory measures both. */
const SYSTEMATIC = 0.15
const ERRORS_OF_DEMAND = 1 / 3

/**
 * The ratio of costs by which stock was kept. One unit more on a shelf costs the carrying rate on each day on which it lies
 * there, and saves the cost of a unit short each time the shelf becomes empty. Who thinks both equal acts by
 *
 *     B / (r/365)  =  days in stock / stockouts
 *
 * B: cost of a unit short, r: yearly carrying rate, both as shares of the unit cost. It is the condition of
 * `targetByCosts` read the other way: [1 − (P(D(L) ≥ S) + P(D(L+R) ≥ S))/2]·R days in stock a cycle and
 * P(D(L+R) ≥ S) − P(D(L) ≥ S) stockouts that begin in it, so that no forecast, lead time or lot of then needs to be known. Of
 * whole units the last one on the shelf pays and one more does not: the ratio lies between the stockouts and the shortages,
 * and their geometric mean stands for both. Who is wrong about demand runs out more often than meant: that shows in pairs that
 * differ more than chance makes them, by V times the squared mean, and the ratio is taken (1 + V)^⅓ times as high, which is
 * measured and not derived. The band is that of a ratio of sums over pairs, on the scale of logarithms.
 *
 * Source: Hadley, Whitin, Analysis of Inventory Systems, 1963, ch. 5 (the optimality condition); Cochran, Sampling Techniques,
 * 3rd ed., ch. 6 (the ratio and its error).
 * @returns null where too few stockouts tell it
 */
export function actedRatio(pairs: readonly PastStock[]): ActedRatio | null {
  const total = (of: (pair: PastStock) => number) =>
    pairs.reduce((sum, pair) => sum + pair.weight * of(pair), 0)
  const stockouts = total((pair) => pair.stockouts)
  const shortages = total((pair) => pair.shortages)
  if (stockouts < LEAST_STOCKOUTS || shortages <= 0) return null
  const days = total((pair) => pair.daysInStock)
  const expected = (pair: PastStock) => (pair.daysInStock * stockouts) / days
  const squares = total((pair) => (pair.stockouts - expected(pair)) ** 2)
  const beyondChance = (squares - stockouts) / total((pair) => expected(pair) ** 2)
  const unmeant = (1 + Math.max(0, beyondChance)) ** ERRORS_OF_DEMAND
  const weeks = (unmeant * days) / (7 * Math.sqrt(shortages * stockouts))
  const width = Math.exp(BAND * Math.hypot(Math.sqrt(squares) / stockouts, SYSTEMATIC))
  if (!(width <= WIDEST)) return null
  return {
    ...{ weeks, low: weeks / width, high: weeks * width },
    ...{ pairs: Math.round(total(() => 1)), stockouts: Math.round(stockouts) },
  }
}
