import type { SupplierLine } from './supplier-line.ts'
import type { Units } from '../types.ts'

/** In the currency of the lines' costs. */
export interface FreeFreight {
  /** The value from which on an order has no freight. */
  from: number
  /** The freight of an order below. */
  cost: number
}

/**
 * Whether keeping what is bought too early costs less than the freight. A unit is too early by the days that the supply
 * of its line reaches beyond its target.
 */
export function savesFreight(
  lines: readonly SupplierLine[],
  from: readonly Units[],
  to: readonly Units[],
  { cost }: FreeFreight,
): boolean {
  const kept = lines.reduce((sum, line, i) => sum + carryingCost(line, from[i]!, to[i]!), 0)
  return kept < cost
}

/** Of the units between two quantities of a line; without known costs they are not bought for the freight's sake. */
function carryingCost(line: SupplierLine, from: Units, to: Units): number {
  if (to <= from) return 0
  const { unitCost, carryingRate, daysAboveTarget, dailyDemand } = line
  if (unitCost === null || carryingRate === null) return Infinity
  const days = daysAboveTarget + (from + to) / 2 / dailyDemand
  return ((to - from) * unitCost * carryingRate * Math.max(0, days)) / 365
}
