import { type DemandForecast, medianDemand } from './demand.ts'
import { type LotRule, roundToLots } from './lots.ts'
import { firstDay } from './supply.ts'
import type { Days, Units } from '../types.ts'

/** What each unit of an order costs from a quantity on. */
export interface PriceBreak {
  from: Units
  unitCost: number
}

/** Of an order: what each of its units costs where no break is reached, and the breaks, ascending. */
export interface Prices {
  /** Null where it is not known. */
  unitCost: number | null
  breaks: readonly PriceBreak[]
}

/** An order as it is without regard to prices. */
export interface Purchase {
  quantity: Units
  /** What is there, ordered or in this order beyond the demand that it must cover. */
  aboveTarget: Units
  /** Days from now for which the target stock lasts. */
  protectionDays: Days
  lots: LotRule
  /** The most that it may be. */
  limit: Units
  prices: Prices
  /** Cost of one unit kept for a year, as a share of its cost. */
  carryingRate: number
  /** Days of demand beyond its target that it may last. */
  coverDays: Days
}

/** The break that an order is worth being raised to. Money to the cent. */
export interface PriceBreakTerm extends PriceBreak {
  /** What it adds to the order. */
  units: Units
  /** The price of the order without it. */
  unitCostBefore: number
  /** What the whole order costs less than at that price. */
  saving: number
  /** Days that the added units come too early, on average, to two decimals. */
  carryingDays: Days
  carryingRate: number
  carryingCost: number
}

/** What one unit costs in an order of so many; null where it is not known. */
export function unitCostAt(quantity: Units, { unitCost, breaks }: Prices): number | null {
  return breakAt(quantity, breaks)?.unitCost ?? unitCost
}

const breakAt = (quantity: Units, breaks: Prices['breaks']) =>
  breaks.findLast(({ from }) => from <= quantity + 1e-6)

/**
 * All-units discount: the quantity B among the price breaks whose units cost least, c(B) = p(B) + r·p(B)·(B − Q)·t/365 / B
 * (money a unit), where that is below p(Q); else null. Q: the order as it is, p: price of all units of an order, r: yearly
 * carrying rate, t: days that the B − Q added units come too early, on average. Only breaks are looked at, since between
 * them each further unit costs more. It is the textbook's yearly cost over yearly demand, for one order: the fixed cost of
 * an order is in its review period, and what lies on the shelf without the raise is left out on both sides.
 *
 * Unit u above the target comes too early by the days after the protection interval in which the median of demand uses
 * u units: without the raise it would be bought later, for then. Units that last beyond `coverDays` are never bought.
 *
 * Source: Nahmias, Production and Operations Analysis, 6th ed., 4.7 (quantity discounts, all units); Hadley, Whitin,
 * Analysis of Inventory Systems, 1963, ch. 2; Silver, Pyke, Thomas, Inventory and Production Management in Supply Chains,
 * 4th ed., ch. 4.
 */
export function bestPriceBreak(demand: DemandForecast, purchase: Purchase): PriceBreakTerm | null {
  const { quantity, lots, limit, prices, carryingRate } = purchase
  const unitCostBefore = unitCostAt(quantity, prices)
  if (unitCostBefore === null) return null
  let best: PriceBreakTerm | null = null
  let least = unitCostBefore
  for (const { from } of prices.breaks) {
    if (from <= quantity) continue
    const raised = roundToLots(from, lots)
    if (raised > limit) break
    const units = raised - quantity
    const days = daysTooEarly(demand, purchase, units)
    if (days === null) break
    const reached = breakAt(raised, prices.breaks)!
    const { unitCost } = reached
    const carryingDays = toCents(days)
    const carryingCost = toCents((units * unitCost * carryingRate * carryingDays) / 365)
    const saving = toCents(raised * (unitCostBefore - unitCost))
    const cost = unitCost + carryingCost / raised
    if (saving <= carryingCost || cost >= least) continue
    least = cost
    const costs = { saving, carryingDays, carryingRate, carryingCost }
    best = { units, ...reached, unitCostBefore, ...costs }
  }
  return best
}

/** Points of the added units at which their days are looked at; exact where demand is steady. */
const POINTS = 8

/** On average; null where they last longer than is allowed. */
function daysTooEarly(
  demand: DemandForecast,
  { aboveTarget, protectionDays, coverDays }: Purchase,
  units: Units,
): Days | null {
  const used = (days: Days) =>
    medianDemand(demand, protectionDays + days) - medianDemand(demand, protectionDays)
  const above = Math.max(0, aboveTarget)
  if (used(coverDays) < above + units - 1e-6) return null
  let sum = 0
  for (let i = 0; i < POINTS; i++) {
    sum += daysUntil(used, above + (units * (i + 0.5)) / POINTS, coverDays)
  }
  return sum / POINTS
}

/** The day on which that is used, straight between whole days. */
function daysUntil(used: (days: Days) => Units, units: Units, most: Days): Days {
  const day = firstDay(1, Math.max(1, most), (days) => used(days) >= units - 1e-6)
  const [before, after] = [used(day - 1), used(day)]
  return after > before ? day - 1 + Math.min(1, (units - before) / (after - before)) : day
}

const toCents = (number: number) => Math.round(number * 100) / 100
