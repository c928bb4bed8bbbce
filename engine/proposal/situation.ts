import { everyDay, onWeekdays, type OrderCalendar } from '../inventory/order-days.ts'
import type { LeadTime } from '../inventory/lead-time.ts'
import { protectionDays } from '../inventory/protection.ts'
import { type Supply, withArrival } from '../inventory/supply.ts'
import { withoutNoise } from '../inventory/position.ts'
import { daysBetween, weekdayOf } from './dates.ts'
import type { ProposalInput, Receipt } from './types.ts'
import type { Days, Units } from '../types.ts'

/** An input with its days counted from today, and with what it leaves out filled in. */
export interface Situation {
  onHand: Units
  backorders: Units
  openProposals: Units
  /** Open orders by the day on which they are expected, ascending; 0 is today. */
  receipts: ExpectedReceipt[]
  /** On hand less backorders, and receipts by day; no open proposals. */
  supply: Supply
  leadTime: LeadTime
  orderCalendar: OrderCalendar
  /** Days from one order of this pair to the next. */
  nextDecision: Days
  /** Lead time + review period, without the forecast's limit. */
  protection: Days
  /** The day on which an order placed at the first chance is usable. */
  arrivalDay: Days
}

export interface ExpectedReceipt extends Receipt {
  day: Days
  /** Days that it is overdue; 0 or less: it is not. */
  overdueDays: Days
}

/** An overdue order is expected so many days from now, or a lead time where that is shorter. */
const OVERDUE_DELAY: Days = 7
/** An order overdue for longer is not expected any more. */
export const GIVEN_UP_AFTER: Days = 90

/** Null where stock or lead time is not known. */
export function situationOf({ asOf, position, planning, policy }: ProposalInput): Situation | null {
  const { onHand, openProposals } = position
  const { leadTimeDays } = planning
  if (onHand === null || leadTimeDays === null) return null
  const review = planning.reviewPeriodDays ?? policy.reviewPeriodDays
  const hasOrderDays = Boolean(planning.orderDays?.length)
  const orderCalendar = hasOrderDays
    ? onWeekdays(planning.orderDays!, weekdayOf(asOf))
    : everyDay(review)
  const backorders = position.backorders ?? 0
  const receipts = (position.receipts ?? [{ date: null, quantity: position.onOrder }])
    .map((receipt) => expected(receipt, asOf, leadTimeDays))
    .sort((a, b) => a.day - b.day)
  return {
    onHand,
    backorders,
    openProposals,
    receipts,
    supply: receipts
      .filter(({ overdueDays }) => overdueDays <= GIVEN_UP_AFTER)
      .reduce(withArrival, { now: withoutNoise(onHand - backorders), arrivals: [] } as Supply),
    leadTime: { meanDays: leadTimeDays, deviationDays: planning.leadTimeDeviationDays ?? 0 },
    orderCalendar,
    nextDecision: hasOrderDays ? orderCalendar.next : 1,
    protection: protectionDays(leadTimeDays, orderCalendar.next),
    arrivalDay: orderCalendar.first + leadTimeDays,
  }
}

/** An order without a date counts as there. */
function expected(receipt: Receipt, asOf: string, leadTimeDays: Days): ExpectedReceipt {
  const until = receipt.date === null ? 0 : daysBetween(asOf, receipt.date)
  const day = until < 0 ? Math.min(OVERDUE_DELAY, leadTimeDays) : until
  return { ...receipt, day, overdueDays: -until }
}
