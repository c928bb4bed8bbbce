import {
  type DemandMixture,
  expectedShortage,
  mixtureMean,
  mixtureProbability,
  mixtureQuantile,
} from './mixture.ts'
import type { Days, Level, Units } from '../types.ts'

/** Costs in shares of the unit cost, which therefore cancels out. */
export interface CostRates {
  /** Cost of one unit short, once, e.g. 0.4: the margin lost. */
  stockoutRate: number
  /** Cost of one unit kept for a year, e.g. 0.25: capital, space, ageing. */
  carryingRate: number
  /** What becomes of demand that finds no stock; it waits where this is absent. */
  unmetDemand?: UnmetDemand
}

export type UnmetDemand = 'backordered' | 'lost'

export const LOWEST_TARGET: Level = 0.5
export const HIGHEST_TARGET: Level = 0.99

/** What one order answers for: from its own arrival until the next one's. */
export interface ReplenishmentCycle {
  /** Demand until the order arrives, and until the next one does. */
  untilArrival: DemandMixture
  untilNext: DemandMixture
  days: Days
  /** Lead time and review period. */
  protectionDays: Days
  /** Where a unit expires: demand until one that is ordered now does, and for how many days it can be sold. */
  expiry?: { untilExpiry: DemandMixture; days: Days }
  /** By how much an order grows at a time: the lot, or the minimum order where that is more. */
  batch: Units
}

/**
 * Service target of an (R,S) system by its costs: the highest quantile q of .50, .51 … .99 of the demand D(L+R) up to
 * which one more batch pays. For a single unit more on S − 1 it does while
 *
 *     B · [P(D(L+R) ≥ S) − P(D(L) ≥ S)]  ≥  r·R/365 · P(the unit lies on the shelf)
 *
 * B: cost of a unit short, r: yearly carrying rate, R: review period, L: lead time. The bracket is the chance that the
 * unit is wanted in this very cycle: what was short before the order arrives it cannot mend, and what is short later
 * the next order can. For a batch of m both sides are summed over its m units, which gives the reorder point at which
 * G(s) = G(s + m); orders are then rounded up to batches.
 *
 * Where unmet demand is lost, a unit short in one cycle is not owed in the next ones: a shortage lies in all (L + R)/R
 * overlapping intervals, and one more unit averts it once. It must pay for being kept over the whole interval then:
 * q = B / (B + r·(L + R)/365), the critical ratio, for a batch on the mean of its units; bench/inventory compares both.
 *
 * **A unit that expires** after Z days is lost with its whole cost: W = min(1, R/Z) · P(D(L+Z) < S) stands beside what carrying costs. What
 * is not wanted until it expires is bought again once in its life, which is R/Z of a cycle.
 *
 * Source: Hadley, Whitin, Analysis of Inventory Systems, 1963, ch. 5 (periodic review); Veinott, The Optimal Inventory
 * Policy for Batch Ordering, Operations Research 13, 1965; Nahmias, Production and Operations Analysis, 6th ed., 5.3.
 */
export function targetByCosts(
  { stockoutRate, carryingRate, unmetDemand }: CostRates,
  cycle: ReplenishmentCycle,
): Level {
  const carrying = (carryingRate * cycle.days) / 365
  if (stockoutRate <= carrying) return LOWEST_TARGET
  const wholeInterval = (carryingRate * cycle.protectionDays) / 365
  if (unmetDemand === 'lost' && !cycle.expiry && cycle.batch <= 1) {
    return clampTarget(stockoutRate / (stockoutRate + wholeInterval))
  }
  const pays = (units: Units) =>
    unmetDemand === 'lost'
      ? lostBatchPays(units, cycle, stockoutRate, wholeInterval)
      : batchPays(units, cycle, stockoutRate, carrying)
  const highest = highestThatPays(cycle.untilNext, pays)
  return clampTarget(Math.floor(100 * highest + 1e-6) / 100)
}

/** What a unit short weighs through a closure beside any other. */
const WEIGHT_THROUGH = 12

/**
 * The same for the order that must last through a closure, and for those that it delays, where unmet demand waits: nothing mends a
 * shortage for weeks, and what is kept for safety too much is there once and lies until it is used up. A unit more on S − 1 pays while
 *
 *     B · w · [P(D(H) ≥ S) − P(D(A) ≥ S)]  ≥  r/365 · ((H − A) + E[(S − D(H))⁺] / d)
 *
 * A, H: days until this order and until the next one arrives, d: demand a day. w was measured (bench/inventory, closures.ts).
 */
export function targetThroughClosure(
  { stockoutRate, carryingRate }: CostRates,
  { untilArrival, untilNext, days, protectionDays, batch }: ReplenishmentCycle,
): Level {
  const mean = mixtureMean(untilNext)
  const highest = highestThatPays(untilNext, (units) => {
    const chance = wanted(untilNext, units, batch) - wanted(untilArrival, units, batch)
    const left = units - mean + expectedShortage(untilNext, units)
    const kept = (carryingRate / 365) * (days + (left * protectionDays) / mean)
    return stockoutRate * WEIGHT_THROUGH * chance >= kept
  })
  // A hundredth is a unit where many days' demand is rare.
  return Math.floor(1000 * highest + 1e-6) / 1000
}

/** The highest level of .50 … .99 up to which one more batch pays. */
function highestThatPays(demand: DemandMixture, pays: (units: Units) => boolean): Level {
  const levelUnits = (level: Level) => Math.round(mixtureQuantile(demand, level))
  const [least, most] = [levelUnits(LOWEST_TARGET), levelUnits(HIGHEST_TARGET)]
  if (pays(most)) return HIGHEST_TARGET
  // From above: below the median of a long lead time a further unit does not pay either.
  const step = Math.max(1, Math.ceil((most - least) / STEPS))
  let [low, high] = [most - step, most]
  while (low > least && !pays(low)) [low, high] = [low - step, low]
  if (low <= least && !pays((low = least))) return LOWEST_TARGET
  while (high - low > 1) {
    // No shift: quantities may exceed 31 bits.
    const middle = Math.floor((low + high) / 2)
    if (pays(middle)) low = middle
    else high = middle
  }
  const level = mixtureProbability(demand, low)
  return Math.min(HIGHEST_TARGET, Math.max(LOWEST_TARGET, level))
}

const STEPS = 16

/** Whether the batch that lifts the position from `units` − 1 is worth more than it costs, over one cycle. */
function batchPays(
  units: Units,
  cycle: ReplenishmentCycle,
  stockoutCost: number,
  carryingCost: number,
): boolean {
  const { untilArrival, untilNext, batch } = cycle
  const [before, until] = [wanted(untilArrival, units, batch), wanted(untilNext, units, batch)]
  const kept = carryingCost * (1 - (before + until) / 2)
  return stockoutCost * (until - before) >= kept + wasted(units, cycle)
}

/** The same where demand does not wait: a shortage is averted once in a whole interval. */
function lostBatchPays(
  units: Units,
  cycle: ReplenishmentCycle,
  stockoutCost: number,
  carryingCost: number,
): boolean {
  const until = wanted(cycle.untilNext, units, cycle.batch)
  return stockoutCost * until >= carryingCost * (1 - until) + wasted(units, cycle)
}

/** The share of a batch that expires, a cycle. */
function wasted(units: Units, { expiry, days, batch }: ReplenishmentCycle): number {
  if (!expiry) return 0
  return Math.min(1, days / expiry.days) * (1 - wanted(expiry.untilExpiry, units, batch))
}

/** Points of a batch at which its units are looked at. */
const POINTS = 4

/** The share of a batch that is wanted, its units those above `units` − 1. */
function wanted(demand: DemandMixture, units: Units, batch: Units): number {
  const points = Math.min(POINTS, batch)
  let sum = 0
  for (let i = 0; i < points; i++) {
    sum += 1 - mixtureProbability(demand, units - 1 + ((i + 0.5) * batch) / points)
  }
  return sum / points
}

/** A target that a rule names, kept to .5..0.99 and rounded to two decimals. */
export function clampTarget(level: Level): Level {
  const rounded = Math.round(level * 100) / 100
  return Math.min(HIGHEST_TARGET, Math.max(LOWEST_TARGET, rounded))
}
