import { MAX_HORIZON_DAYS } from '../horizon.ts'
import { type DemandForecast, medianDemand } from './demand.ts'
import type { Days } from '../types.ts'

/** What decides how often it pays to order a pair. */
export interface OrderIntervalCosts {
  /** Of one order line: processing, receiving, putting away; in the currency of the unit cost. */
  orderLineCost: number
  unitCost: number
  /** Cost of one unit kept for a year, as a share of its cost. */
  carryingRate: number
}

/**
 * Economic order interval: T = 365·√(2·K / (r·c·D)) days, at which a line costs as much to order as to carry. K: cost
 * of a line, c: unit cost, r: carrying rate, D: median demand of a year at the rate of the next 90 days. At most 90 days;
 * 0 where any of them is 0.
 *
 * Source: Silver, Pyke, Thomas, Inventory and Production Management in Supply Chains, 4th ed., ch. 4 and 6 (the
 * economic order quantity as a time supply).
 */
export function orderInterval(
  demand: DemandForecast,
  { orderLineCost, unitCost, carryingRate }: OrderIntervalCosts,
): Days {
  const yearly = (medianDemand(demand, MAX_HORIZON_DAYS) * 365) / MAX_HORIZON_DAYS
  const carried = carryingRate * unitCost * yearly
  if (!(orderLineCost > 0) || !(carried > 0)) return 0
  return Math.min(MAX_HORIZON_DAYS, Math.round(365 * Math.sqrt((2 * orderLineCost) / carried)))
}
