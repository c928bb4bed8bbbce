import { smallestOrder } from '../inventory/limits.ts'
import { wholeStep } from '../inventory/lots.ts'
import { type FreeFreight, type Freight, saveFreight } from './free-freight.ts'
import { fillTo, type Measure, totalOf } from './fill.ts'
import { type OrderOrWait, orderOrWait } from './order-or-wait.ts'
import { unitCostAt } from '../inventory/price-breaks.ts'
import type { SupplierLine } from './supplier-line.ts'
import type { Days, Units } from '../types.ts'

export interface SupplierLimits {
  /** In the currency of the lines' costs. */
  minimumValue?: number | null
  minimumQuantity?: Units | null
  /** The supplier bears the freight of an order of such a value, else it costs so much. */
  freeFreight?: FreeFreight | null
  /** The order fills whole containers of so many units. */
  containerUnits?: Units | null
  /** What an order costs whatever its lines, in the currency of their costs; absent or 0: nothing. */
  orderCost?: number | null
  /** Days of demand beyond its target stock that no line is raised above; absent: no limit. */
  coverDays?: Days | null
}

export interface SupplierOrderLine {
  key: string
  quantity: Units
  raisedBy: Units
  /** Of `raisedBy`: what saves the freight of the order, and what keeping it costs. */
  freight?: { units: Units; carryingCost: number }
}

export interface SupplierOrder {
  /** `below_minimum`: it cannot go out as it is. */
  status: 'complete' | 'raised' | 'below_minimum'
  /** In the order given. */
  lines: SupplierOrderLine[]
  quantity: Units
  /** Of the lines with a cost. */
  value: number
  /** What still lacks to each limit, where any does. */
  missing: { value: number; quantity: Units } | null
  /** Where nothing presses: the last day on which all lines are still in time. */
  waitUntil: string | null
  /** Where a line presses and the minimum cannot be reached: the `coverDays` that would do; null: none would. */
  coverItTakes?: Days | null
  /** Of an order that can go out, where its freight depends on its value. */
  freight?: Freight['status']
  /** Where an order costs something. */
  orderOrWait?: OrderOrWait
  message: string
}

/**
 * All lines of a supplier as one order. Where it lacks to the supplier's minimum, lines are raised
 * in whole lots, each next lot to the line whose supply then reaches least far beyond its target
 * (in days), lines that need nothing yet included, and never beyond what a line may be or the days of
 * cover that are allowed. Where nothing presses, or the minimum cannot be reached so, nothing is raised and
 * the order waits. An order that is complete is raised on to where its freight is free, where that costs less. Where
 * an order costs something, that comes first: it waits, or its lines last longer and others join.
 */
export function fillSupplierOrder(
  lines: readonly SupplierLine[],
  limits: SupplierLimits,
): SupplierOrder {
  const choice = orderOrWait(lines, limits.orderCost)
  if (!choice)
    return fillProposed(
      lines,
      lines.map(({ quantity }) => quantity),
      limits,
    )
  const { quantities, ...chosen } = choice
  const order =
    chosen.decision === 'wait'
      ? orderOf(lines, quantities, 'complete')
      : fillProposed(lines, quantities, limits)
  return { ...order, orderOrWait: chosen }
}

function fillProposed(
  lines: readonly SupplierLine[],
  proposed: Units[],
  limits: SupplierLimits,
): SupplierOrder {
  if (proposed.every((quantity) => quantity === 0)) return orderOf(lines, proposed, 'complete')
  const lacking = missingOf(lines, proposed, limits)
  if (!lacking) return complete(lines, proposed, limits)
  const pressing = lines.some(({ quantity, urgency }) => quantity > 0 && urgency !== 'ahead')
  if (!pressing) {
    const waitUntil = firstOf(lines.map(({ quantity, orderBy }) => (quantity > 0 ? orderBy : null)))
    return { ...orderOf(lines, proposed, 'below_minimum', lacking), waitUntil }
  }
  const raised = raise(lines, proposed, limits)
  if (!missingOf(lines, raised, limits)) return complete(lines, raised, limits)
  const order = orderOf(lines, proposed, 'below_minimum', lacking)
  return { ...order, coverItTakes: coverItTakes(lines, proposed, limits) }
}

/** Days beyond its target that the farthest line would reach; null where no cover is enough. */
function coverItTakes(lines: readonly SupplierLine[], from: Units[], limits: SupplierLimits) {
  const own = { ...limits, coverDays: null }
  const raised = raise(lines, from, own)
  if (missingOf(lines, raised, own)) return null
  const days = lines.map(({ daysAboveTarget, dailyDemand }, i) =>
    raised[i]! > from[i]! ? daysAboveTarget + raised[i]! / dailyDemand : 0,
  )
  return Math.ceil(round(Math.max(...days)))
}

/** By the price of that quantity. */
const value: Measure = ({ unitCost, priceBreaks: breaks = [] }, quantity) =>
  quantity * (unitCostAt(quantity, { unitCost, breaks }) ?? 0)
const units: Measure = (_, quantity) => quantity

function raise(lines: readonly SupplierLine[], from: Units[], limits: SupplierLimits): Units[] {
  const { minimumValue, minimumQuantity, coverDays } = limits
  const most = coverDays ?? undefined
  const fillByValue = (quantities: Units[]) =>
    fillTo(lines, quantities, value, { atLeast: minimumValue ?? 0 }, most)
  const byUnits = fillTo(lines, fillByValue(from), units, { atLeast: minimumQuantity ?? 0 }, most)
  // More units may be worth less: a line may have reached a price break.
  return fillByValue(byUnits)
}

/** An order that can go out, raised to where its freight is free if that costs less than the freight. */
function complete(
  lines: readonly SupplierLine[],
  from: Units[],
  limits: SupplierLimits,
): SupplierOrder {
  const { freeFreight, coverDays } = limits
  if (!freeFreight) return filled(lines, from, limits)
  const { status, quantities, carryingCosts } = saveFreight(
    lines,
    from,
    value,
    freeFreight,
    coverDays ?? undefined,
  )
  const minimumValue = Math.max(limits.minimumValue ?? 0, status === 'paid' ? 0 : freeFreight.from)
  const order = filled(lines, quantities, { ...limits, minimumValue })
  const ofFreight = (i: number) =>
    quantities[i]! > from[i]! && {
      freight: { units: round(quantities[i]! - from[i]!), carryingCost: carryingCosts[i]! },
    }
  return {
    ...order,
    freight: status,
    lines: order.lines.map((line, i) => ({ ...line, ...ofFreight(i) })),
  }
}

/** Whole containers, as far as lots and limits go; never one more for the rest of a lot. */
function filled(
  lines: readonly SupplierLine[],
  from: Units[],
  limits: SupplierLimits,
): SupplierOrder {
  const { containerUnits, coverDays } = limits
  if (!containerUnits) return orderOf(lines, from, 'complete')
  const goal = Math.ceil(totalOf(lines, from, units) / containerUnits - 1e-9) * containerUnits
  const wanted = fillContainers(lines, from, goal, coverDays ?? undefined)
  // Full containers may reach a price break and be worth less than what the order must be.
  const full = missingOf(lines, wanted, limits) ? from : wanted
  const free = goal - totalOf(lines, full, units)
  const order = orderOf(lines, full, 'complete')
  const message =
    free > 0 ? `${order.message} The last container has room for ${free}.` : order.message
  return { ...order, message }
}

/** A line whose next lot has no room is left out; the others go on. */
function fillContainers(
  lines: readonly SupplierLine[],
  from: Units[],
  goal: Units,
  most: Days | undefined,
): Units[] {
  const room = goal - totalOf(lines, from, units)
  const fitting = lines.map((line, i) => {
    const next = Math.max(from[i]! + (wholeStep(line.lotSize) ?? 1), smallestOrder(line))
    return next - from[i]! <= room ? line : { ...line, most: from[i]! }
  })
  const full = fillTo(fitting, from, units, { atMost: goal }, most)
  const done = full.every((quantity, i) => quantity === from[i])
  return done ? full : fillContainers(lines, full, goal, most)
}

function missingOf(
  lines: readonly SupplierLine[],
  quantities: Units[],
  { minimumValue, minimumQuantity }: SupplierLimits,
): SupplierOrder['missing'] {
  const lacks = (minimum: number | null | undefined, measure: Measure) =>
    Math.max(0, round((minimum ?? 0) - totalOf(lines, quantities, measure)))
  const missing = { value: lacks(minimumValue, value), quantity: lacks(minimumQuantity, units) }
  return missing.value > 0 || missing.quantity > 0 ? missing : null
}

function orderOf(
  lines: readonly SupplierLine[],
  quantities: Units[],
  status: 'complete' | 'below_minimum',
  missing: SupplierOrder['missing'] = null,
): SupplierOrder {
  const raised = lines.some(({ quantity }, i) => quantities[i]! > quantity)
  const order = {
    status: status === 'complete' && raised ? ('raised' as const) : status,
    lines: lines.map(({ key, quantity }, i): SupplierOrderLine => ({
      key,
      quantity: quantities[i]!,
      raisedBy: round(quantities[i]! - quantity),
    })),
    quantity: round(totalOf(lines, quantities, units)),
    value: round(totalOf(lines, quantities, value)),
    missing,
    waitUntil: null,
  }
  return { ...order, message: messageOf(order) }
}

function messageOf({ status, lines, missing }: Omit<SupplierOrder, 'message'>): string {
  if (status === 'raised') {
    const raised = lines.filter(({ raisedBy }) => raisedBy > 0)
    const more = raised.reduce((sum, { raisedBy }) => sum + raisedBy, 0)
    return `${raised.length} of ${lines.length} lines were raised by ${round(more)} in all for the supplier.`
  }
  if (!missing) return 'The order is complete.'
  const lacks = [
    ...(missing.value > 0 ? [`${missing.value} in value`] : []),
    ...(missing.quantity > 0 ? [`${missing.quantity} in quantity`] : []),
  ]
  return `Below the supplier's minimum: ${lacks.join(' and ')} missing.`
}

/** The earliest day; ISO days sort as text. */
function firstOf(days: (string | null)[]): string | null {
  return days.filter((day) => day !== null).sort()[0] ?? null
}

const round = (number: number) => Math.round(number * 1e6) / 1e6
