import { unitCostAt } from '../inventory/price-breaks.ts'
import { fillTo, type Measure, totalOf } from './fill.ts'
import type { SupplierLine } from './supplier-line.ts'
import type { Days, Units } from '../types.ts'

/** In the currency of the lines' costs. */
export interface FreeFreight {
  /** The value from which on an order has no freight. */
  from: number
  /** The freight of an order below. */
  cost: number
}

export interface Freight {
  /** Free by the order's value as it was, by lines brought forward, or paid since that would cost more. */
  status: 'free' | 'saved' | 'paid'
  quantities: Units[]
  /** What keeping the units brought forward costs, by line. */
  carryingCosts: number[]
}

/**
 * An order filled up to where its freight is free, by the lines that cost least to bring forward, if keeping all of it
 * costs less than the freight; else as it is. A unit is too early by the days that the supply of its line reaches beyond
 * its target. Lines without known costs are not brought forward for it.
 * @param value of a quantity of a line
 * @param most days beyond its target that no line is raised above
 */
export function saveFreight(
  lines: readonly SupplierLine[],
  from: Units[],
  value: Measure,
  freeFreight: FreeFreight,
  most: Days | undefined,
): Freight {
  const isFree = (quantities: Units[]) =>
    totalOf(lines, quantities, value) >= freeFreight.from - 1e-6
  const asItIs = { quantities: from, carryingCosts: lines.map(() => 0) }
  if (isFree(from)) return { status: 'free', ...asItIs }
  const goal = { atLeast: freeFreight.from }
  const quantities = fillTo(lines, from, value, goal, most, carryingWeight)
  const carryingCosts = lines.map((line, i) => carryingCost(line, from[i]!, quantities[i]!))
  const cost = carryingCosts.reduce((sum, each) => sum + each, 0)
  if (!isFree(quantities) || cost >= freeFreight.cost) return { status: 'paid', ...asItIs }
  return { status: 'saved', quantities, carryingCosts }
}

/** So that free capital does not make all days equal. */
const LEAST_RATE = 1e-6

/** A day beyond the target costs the carrying rate of what it is worth. */
const carryingWeight = ({ carryingRate }: SupplierLine) =>
  carryingRate === null ? null : Math.max(LEAST_RATE, carryingRate)

/** Of the units between two quantities of a line, to the cent. */
function carryingCost(line: SupplierLine, from: Units, to: Units): number {
  if (to <= from) return 0
  const { unitCost, priceBreaks: breaks = [], carryingRate, daysAboveTarget, dailyDemand } = line
  const cost = unitCostAt(to, { unitCost, breaks }) ?? 0
  const days = daysAboveTarget + (from + to) / 2 / dailyDemand
  const carried = ((to - from) * cost * (carryingRate ?? 0) * Math.max(0, days)) / 365
  return Math.round(carried * 100) / 100
}
