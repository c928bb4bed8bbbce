import { type DemandMixture, expectedShortage, mixtureMean, probabilityCovered } from './mixture.ts'
import type { Days, Units } from '../types.ts'

/** How a pair is replenished, in a long run of equal cycles. */
export interface StockCycle {
  /** Demand until an order arrives, and until the next one does. */
  untilArrival: DemandMixture
  untilNext: DemandMixture
  /** The review period. */
  days: Days
  /** By how much an order grows at a time: the lot, or the minimum order where that is more. */
  batch: Units
  /** The most that stock and orders together may be; Infinity for no limit. */
  cap: Units
}

/** What an order-up-to level leads to. */
export interface CycleOutcome {
  /** Mean stock on hand. */
  stock: Units
  /** Mean units a day that are wanted, and that find no stock. */
  demand: Units
  short: Units
  /** Chance that the shelf runs empty before the next order arrives. */
  stockoutChance: number
}

/** Points and weights of Gauss and Legendre over 0..1: exact up to the third power. */
const POINTS = [0.5 - Math.sqrt(3) / 6, 0.5 + Math.sqrt(3) / 6]

/**
 * An (R,S) system in the long run. After each review the inventory position is Y: the order-up-to level S, and as orders are
 * whole batches of m, anything from S to S + m − 1 with the same chance. Demand D that finds no stock waits. Then
 *
 *     stock on hand, mean      ½ · (E[(Y − D(L))⁺] + E[(Y − D(L+R))⁺]),   E[(Y − D)⁺] = Y − E[D] + E[(D − Y)⁺]
 *     units short in a cycle   E[(D(L+R) − Y)⁺] − E[(D(L) − Y)⁺]
 *     chance of a stockout     P(D(L+R) > Y)
 *
 * and the fill rate is 1 − units short / (E[D(L+R)] − E[D(L)]). L: lead time, R: review period.
 *
 * Source: Hadley, Whitin, Analysis of Inventory Systems, 1963, ch. 5 (periodic review, whole batches); Silver, Pyke,
 * Thomas, Inventory and Production Management in Supply Chains, 4th ed., ch. 6, and ch. 7 for exchange curves.
 */
export function cycleOutcome(cycle: StockCycle, orderUpTo: Units): CycleOutcome {
  const { untilArrival, untilNext, days, batch, cap } = cycle
  const [before, until] = [mixtureMean(untilArrival), mixtureMean(untilNext)]
  const shares = batch > 1 ? POINTS : [0]
  const sum = { stock: 0, short: 0, stockoutChance: 0 }
  for (const share of shares) {
    const position = Math.min(cap, orderUpTo + share * (batch - 1))
    const early = expectedShortage(untilArrival, position)
    const late = expectedShortage(untilNext, position)
    sum.stock += (2 * position - before - until + early + late) / 2
    sum.short += Math.max(0, late - early)
    sum.stockoutChance += 1 - probabilityCovered(untilNext, position)
  }
  const wanted = Math.max(0, until - before)
  return {
    stock: Math.max(0, sum.stock / shares.length),
    demand: wanted / days,
    short: Math.min(wanted, sum.short / shares.length) / days,
    stockoutChance: Math.max(0, sum.stockoutChance / shares.length),
  }
}
