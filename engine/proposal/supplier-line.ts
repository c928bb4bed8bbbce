import { addDays } from './dates.ts'
import { MAX_HORIZON_DAYS } from '../horizon.ts'
import { inventoryPosition } from '../inventory/position.ts'
import { costsOf, pricesOf, unitCostIn } from './price-break.ts'
import { toOrder } from './propose.ts'
import { rationaleOf } from './rationale.ts'
import { situationOf } from './situation.ts'
import { wholeTarget } from './sum.ts'
import type { Calculation, FreeFreightTerm, SupplierWaitTerm } from './calculation.ts'
import type { JointLine } from '../inventory/joint-order.ts'
import type { Prices } from '../inventory/price-breaks.ts'
import type { ProposalInput } from './input.ts'
import type { ProposalResult } from './result.ts'
import type { Urgency } from './urgency.ts'
import type { Days, Units } from '../types.ts'

/** A pair in an order to one supplier; `supplierLine` makes one of a result. */
export interface SupplierLine {
  key: string
  /** As proposed; 0 where the pair needs nothing yet. */
  quantity: Units
  moq: Units
  lotSize: Units
  /** The most that this line may be raised to; null: no limit. */
  most: Units | null
  /** Days of supply above the target stock before any order; below 0 where it is short. */
  daysAboveTarget: Days
  /** Median demand a day; a line without demand is never raised. */
  dailyDemand: Units
  unitCost: number | null
  /** What a unit costs in larger orders, ascending. */
  priceBreaks?: Prices['breaks']
  /** Share of the unit cost that a unit kept for a year costs; null where no costs are known. */
  carryingRate: number | null
  /** Null where the pair needs nothing yet. */
  urgency: Urgency | null
  orderBy: string | null
  /** What decides whether it goes into an order that costs something; absent where no costs are known, or it does not pay. */
  joint?: JointLine & {
    /** In money; null where a service target is set, so that costs do not decide. */
    costOfWaiting: number | null
  }
}

type Known = Exclude<ProposalResult, { kind: 'blocked' }>

/** A pair's part in an order to its supplier. */
export function supplierLine(key: string, input: ProposalInput, result: Known): SupplierLine {
  const { calculation } = result
  const prices = pricesOf(input.planning)
  const dailyDemand = calculation.p50 / calculation.horizonDays
  const above = inventoryPosition(calculation) - wholeTarget(calculation)
  return {
    key,
    quantity: calculation.quantity,
    moq: calculation.moq,
    lotSize: calculation.lotSize,
    // What is phased out is not bought for a supplier's sake.
    most: input.forecast.until === undefined ? (calculation.limit ?? null) : calculation.quantity,
    daysAboveTarget: dailyDemand > 0 ? above / dailyDemand : MAX_HORIZON_DAYS,
    dailyDemand,
    unitCost: prices.unitCost,
    ...(prices.breaks.length > 0 && { priceBreaks: prices.breaks }),
    carryingRate: costsOf(input)?.carryingRate ?? null,
    urgency: result.kind === 'order' ? result.urgency : null,
    orderBy: result.kind === 'order' ? result.orderBy : null,
    ...jointOf(input, result, dailyDemand),
  }
}

function jointOf(
  input: ProposalInput,
  result: Known,
  dailyDemand: Units,
): Pick<SupplierLine, 'joint'> {
  const { quantity } = result.calculation
  const { first, next } = situationOf(input)!.orderCalendar
  const { orderLineCost = 0, target } = input.policy
  const costs = costsOf(input)
  const unitCost = unitCostIn(input.planning, quantity)
  const isUnknown = !costs || !unitCost || input.staleSince
  if (isUnknown || (result.kind === 'none' && result.why === 'not_worth_it')) return NO_COSTS
  const waiting = result.kind === 'order' ? (result.costOfWaiting ?? 0) * unitCost : 0
  return {
    joint: {
      reviewDays: Math.max(1, next - first),
      lineCost: orderLineCost,
      carryingCost: (costs.carryingRate * unitCost * dailyDemand) / 365,
      costOfWaiting: 'quantile' in target ? null : waiting,
    },
  }
}

const NO_COSTS = {}

/** The result where the supplier's order waits: nothing presses before the next chance to order. */
export function waitForSupplier(
  input: ProposalInput,
  result: ProposalResult,
  supplierWait: SupplierWaitTerm,
): ProposalResult {
  const situation = situationOf(input)
  if (result.kind !== 'order' || situation === null) return result
  const orderBy = addDays(input.asOf, situation.orderCalendar.first + supplierWait.days)
  const calculation = { ...result.calculation, supplierWait }
  return { ...result, urgency: 'ahead', orderBy, calculation, rationale: rationaleOf(calculation) }
}

/**
 * The result once the supplier's whole order raised its line; one that needed nothing is an order then.
 * @param freeFreight the part of it that saves the order's freight
 */
export function raiseForSupplier(
  input: ProposalInput,
  result: Known,
  raisedBy: Units,
  freeFreight: FreeFreightTerm | null = null,
): ProposalResult {
  const situation = situationOf(input)
  if (raisedBy <= 0 || situation === null) return result
  const quantity = result.calculation.quantity + raisedBy
  const supplierMinimum = raisedBy - (freeFreight?.units ?? 0)
  const { exceptions = [], ...terms } = result.calculation
  const isPriced = Boolean(unitCostIn(input.planning, quantity))
  const standing = exceptions.filter(({ code }) => code !== 'no_cost' || !isPriced)
  const calculation: Calculation = {
    ...terms,
    ...(standing.length > 0 && { exceptions: standing }),
    quantity,
    ...(supplierMinimum > 0 && { supplierMinimum }),
    ...(freeFreight && { freeFreight }),
    drivers: [
      ...result.calculation.drivers,
      ...(supplierMinimum > 0 ? (['supplier_minimum'] as const) : []),
      ...(freeFreight ? (['free_freight'] as const) : []),
    ],
  }
  return toOrder(input, situation, calculation)
}
