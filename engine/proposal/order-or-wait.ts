import { type JointInterval, jointInterval } from '../inventory/joint-order.ts'
import { reaching } from './fill.ts'
import type { SupplierLine } from './supplier-line.ts'
import type { Days, Units } from '../types.ts'

/** Whether a supplier's order that costs something goes out now, by expected cost. Money to the cent. */
export interface OrderOrWait {
  decision: 'order' | 'wait'
  /** How many days an order should last. */
  intervalDays: Days
  /** Until the next chance to order. */
  waitDays: Days
  /** What waiting until then is expected to cost, and what it saves. */
  costOfWaiting: number
  saving: number
  /** A line presses whose cost is not known, or whose service target is set. */
  isPressing: boolean
}

/**
 * Now or at the next order day: an order waits while what its lines lose by waiting is less than the cost of a day of the best
 * policy. Nothing waits while a line is due whose cost is not known or whose service target is not that of its costs.
 * @returns null where an order costs nothing, no costs are known, or there is nothing to order
 */
export function orderOrWait(
  lines: readonly SupplierLine[],
  orderCost: number | null | undefined,
): (OrderOrWait & { quantities: Units[] }) | null {
  const proposed = lines.map(({ quantity }) => quantity)
  if (!orderCost || proposed.every((quantity) => quantity === 0)) return null
  const known = lines.flatMap((line) => (line.joint ? [{ line, ...line.joint }] : []))
  const interval = jointInterval(orderCost, known)
  if (!interval) return null
  const lossPerDay = known.reduce(
    (sum, { costOfWaiting, reviewDays }) => sum + Math.max(0, costOfWaiting ?? 0) / reviewDays,
    0,
  )
  const waitDays = Math.max(1, Math.min(...known.map(({ reviewDays }) => reviewDays)))
  const isPressing = lines.some(
    ({ quantity, urgency, joint }) =>
      quantity > 0 && urgency !== 'ahead' && (joint?.costOfWaiting ?? null) === null,
  )
  const decision = isPressing || lossPerDay >= interval.costPerDay ? 'order' : 'wait'
  return {
    ...{ decision, waitDays, isPressing, intervalDays: interval.days },
    costOfWaiting: cents(lossPerDay * waitDays),
    saving: cents(interval.costPerDay * waitDays),
    quantities: decision === 'wait' ? proposed : lines.map((line) => joined(line, interval)),
  }
}

/**
 * What a line takes of an order that lasts so long: what it needs by itself, and its demand until the order after. One that needs
 * nothing yet joins where it would before. Where a line costs something, at least half of its best interval is ordered: an
 * interval of half the best one costs a quarter more.
 */
function joined(line: SupplierLine, { days }: JointInterval): Units {
  const { quantity, joint } = line
  if (!joint) return quantity
  const { reviewDays, lineCost } = joint
  const more = days - reviewDays
  if (more <= 0) return quantity
  const taken = reaching(line, quantity, more)
  const isSmall = quantity === 0 && lineCost > 0 && taken < (line.dailyDemand * days) / 2
  return isSmall ? quantity : taken
}

const cents = (value: number) => Math.round(value * 100) / 100
