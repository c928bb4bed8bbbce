import type { Days, Level } from '../types.ts'

/** Cost shares of the unit cost: both sides are shares of the same cost, so it cancels out. */
export interface CostRates {
  /** Cost of one unit short, once, e.g. 0.3: the margin lost. */
  stockoutRate: number
  /** Cost of one unit kept for a year, e.g. 0.25: capital, space, ageing. */
  carryingRate: number
}

export const LOWEST_TARGET: Level = 0.5
export const HIGHEST_TARGET: Level = 0.9

/**
 * Critical ratio: CR = Cu / (Cu + Co), the quantile of demand up to which one more unit pays;
 * Cu: cost of a unit short, Co: cost of a unit left over, in one currency. Two zeros give 0.5.
 *
 * Source: Nahmias, Production and Operations Analysis, 6th ed., section 5.3, the newsvendor model.
 */
export function criticalRatio(stockoutCost: number, carryingCost: number): Level {
  const sum = stockoutCost + carryingCost
  return sum > 0 ? stockoutCost / sum : 0.5
}

/**
 * Target quantile of an (R,S) system: CR with Cu = B and Co = r·(L + R)/365; B: stockout rate,
 * r: yearly carrying rate, L + R: protection interval (days). The shortage that a further unit
 * averts lies in (L + R)/R overlapping intervals and is averted once, so a unit must pay for being
 * kept over a whole interval and not for a review period only; bench/inventory measures it.
 * Kept to P50..P90: a stockout that costs no more than carrying gives P50, one that costs nine
 * times as much P90. To two decimals, so that the level shown is the level used.
 *
 * Source: Silver, Pyke, Thomas, Inventory and Production Management in Supply Chains, 4th ed.,
 * ch. 6, a charge per unit short (B2), with each shortage counted once.
 */
export function targetQuantile(rates: CostRates, protectionDays: Days): Level {
  const carryingCost = (rates.carryingRate * protectionDays) / 365
  return clampTarget(criticalRatio(rates.stockoutRate, carryingCost))
}

/** A level, kept to P50..P90 and rounded to two decimals. */
export function clampTarget(level: Level): Level {
  const rounded = Math.round(level * 100) / 100
  return Math.min(HIGHEST_TARGET, Math.max(LOWEST_TARGET, rounded))
}
