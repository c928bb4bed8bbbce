import { everyDay, onWeekdays, type OrderCalendar } from '../inventory/order-days.ts'
import type { LeadTime } from '../inventory/lead-time.ts'
import { protectionDays } from '../inventory/protection.ts'
import { type Supply, withArrival } from '../inventory/supply.ts'
import { withoutNoise } from '../inventory/position.ts'
import { daysBetween, weekdayOf } from './dates.ts'
import type { ProposalInput } from './types.ts'
import type { Days, Units } from '../types.ts'

/** An input with its days counted from today, and with what it leaves out filled in. */
export interface Situation {
  onHand: Units
  backorders: Units
  openProposals: Units
  /** Due within the protection interval, and after it. */
  onOrder: Units
  onOrderLater: Units
  /** On hand less backorders, and receipts by day; no open proposals. */
  supply: Supply
  leadTime: LeadTime
  orderCalendar: OrderCalendar
  /** Lead time + review period, without the forecast's limit. */
  protection: Days
  /** The day on which an order placed at the first chance is usable. */
  arrivalDay: Days
}

/** Null where stock or lead time is not known. */
export function situationOf({ asOf, position, planning, policy }: ProposalInput): Situation | null {
  const { onHand, openProposals } = position
  const { leadTimeDays } = planning
  if (onHand === null || leadTimeDays === null) return null
  const review = planning.reviewPeriodDays ?? policy.reviewPeriodDays
  const orderCalendar = planning.orderDays?.length
    ? onWeekdays(planning.orderDays, weekdayOf(asOf))
    : everyDay(review)
  const backorders = position.backorders ?? 0
  const protection = protectionDays(leadTimeDays, orderCalendar.next)
  const receipts = position.receipts ?? [{ date: null, quantity: position.onOrder }]
  const arrivals = receipts.map(({ date, quantity }) => ({
    day: date === null ? 0 : Math.max(0, daysBetween(asOf, date)),
    quantity,
  }))
  const sum = (ofDay: (day: Days) => boolean) =>
    withoutNoise(arrivals.reduce((all, { day, quantity }) => all + (ofDay(day) ? quantity : 0), 0))
  return {
    onHand,
    backorders,
    openProposals,
    onOrder: sum((day) => day < protection),
    onOrderLater: sum((day) => day >= protection),
    supply: arrivals.reduce(withArrival, {
      now: withoutNoise(onHand - backorders),
      arrivals: [],
    } as Supply),
    leadTime: { meanDays: leadTimeDays, deviationDays: planning.leadTimeDeviationDays ?? 0 },
    orderCalendar,
    protection,
    arrivalDay: orderCalendar.first + leadTimeDays,
  }
}
