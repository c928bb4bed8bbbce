import { MAX_HORIZON_DAYS } from '../horizon.ts'
import type { Days } from '../types.ts'

/** A line of a supplier's order, as far as it decides how often to order. */
export interface JointLine {
  /** Days from one order of the line to the next where it stood alone: R. */
  reviewDays: Days
  /** Of one order line, k, in money. */
  lineCost: number
  /** What it costs a day to carry what is wanted in a day, h = r·c·D / 365, money a day for each day of cover. */
  carryingCost: number
}

/** How long an order of a supplier should last, and what waiting with it is worth. */
export interface JointInterval {
  days: Days
  /** Cost of a day, in money, beyond what the lines cost where an order is free: while waiting costs less, an order waits. */
  costPerDay: number
}

/**
 * Joint replenishment: how often to order when an order costs K whatever its lines. All lines of an order that comes every
 * T days cost a day
 *
 *     C(T) = K/T + Σ (k/I + h·I/2),   I = max(R, T)
 *
 * where T is a multiple of the shortest R, at most 90 days. The cheapest T is that of the order. Of a policy whose long-run
 * cost is c* it is best to order as soon as the position costs c* or more: the second figure is what C(T) adds to K = 0.
 *
 * Source: Silver, Pyke, Thomas, Inventory and Production Management in Supply Chains, 4th ed., ch. 10 (coordinated
 * replenishments); Zheng, Federgruen, Finding optimal (s, S) policies is about as simple as evaluating a single policy,
 * Operations Research 39, 1991 (when to order); Balintfy, On a basic class of multi-item inventory problems, Management
 * Science 10, 1964 (lines that join).
 * @param orderCost K, in money
 * @returns null where nothing is known of what carrying costs, or an order costs nothing
 */
export function jointInterval(
  orderCost: number,
  lines: readonly JointLine[],
): JointInterval | null {
  const carrying = lines.reduce((sum, { carryingCost }) => sum + carryingCost, 0)
  if (!(orderCost > 0) || !(carrying > 0)) return null
  const review = Math.max(1, Math.min(...lines.map(({ reviewDays }) => reviewDays)))
  const free = linesCost(lines, 0)
  let best = { days: review, costPerDay: Infinity }
  for (let days = review; days <= Math.max(review, MAX_HORIZON_DAYS); days += review) {
    const costPerDay = orderCost / days + linesCost(lines, days) - free
    if (costPerDay < best.costPerDay) best = { days, costPerDay }
  }
  return best
}

/** A day, if none is ordered more often than every so many days. */
const linesCost = (lines: readonly JointLine[], days: Days) =>
  lines.reduce((sum, { reviewDays, lineCost, carryingCost }) => {
    const interval = Math.max(1, reviewDays, days)
    return sum + lineCost / interval + (carryingCost * interval) / 2
  }, 0)
