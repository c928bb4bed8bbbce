import { arrivalOf, openFrom } from '../inventory/closures.ts'
import { everyDay, onWeekdays, type OrderCalendar } from '../inventory/order-days.ts'
import { type Batch, expectedWaste } from '../inventory/expiry.ts'
import { orderInterval } from '../inventory/order-interval.ts'
import type { LeadTime } from '../inventory/lead-time.ts'
import { protectionDays } from '../inventory/protection.ts'
import { ordersBeyondForecast } from '../inventory/forecast-consumption.ts'
import { type Arrival, type Supply, withArrival } from '../inventory/supply.ts'
import { withoutNoise } from '../inventory/position.ts'
import { toEpochDay } from '../series/calendar.ts'
import { daysBetween, weekdayOf } from './dates.ts'
import type { CustomerOrder, ProposalInput, Receipt } from './input.ts'
import type { Days, Units } from '../types.ts'

/** An input with its days counted from today, and with what it leaves out filled in. */
export interface Situation {
  onHand: Units
  /** Due to customers today or before. */
  backorders: Units
  /** Promised today to what is in no forecast. */
  reserved: Units
  /** Batches of the stock on hand, those that expire first before the others, with what of each is expected to expire unsold. */
  batches: readonly ExpectedBatch[]
  /** What is expected to expire unsold before the next order could help: in whole units. */
  expiring: Units
  /** On hand less backorders, what is reserved and what expires. */
  free: Units
  inInspection: Units
  openProposals: Units
  /** Open orders by the day on which they are expected, ascending; 0 is today. */
  receipts: ExpectedReceipt[]
  /** Drafts by the day on which they would come: no sooner than what is ordered now. */
  draftArrivals: Arrival[]
  /** What customers have ordered beyond the forecast, negative, by the day on which it leaves. */
  beyondForecast: Arrival[]
  /** What is free, stock in inspection and receipts and drafts by day, less `beyondForecast`; no open proposals. */
  supply: Supply
  leadTime: LeadTime
  orderCalendar: OrderCalendar
  /** By how much closed days put off the order after the first one. */
  reviewClosedDays: Days
  /** Days from one order of this pair to the next. */
  nextDecision: Days
  /** Lead time + review period + closed days, without the forecast's limit: the next chance's order is usable then. */
  protection: Days
  /** The day on which an order placed at the first chance is usable. */
  arrivalDay: Days
  /** By how much closed days delay that order, or the next one's arrival after it; 0: not at all. */
  closure: Days
  /** The day on which an order of a day is usable. */
  arrivalOf(orderDay: Days): Days
}

export interface ExpectedBatch extends Batch {
  batch: string | null
  expiresOn: string
  waste: Units
}

export interface ExpectedReceipt extends Receipt {
  day: Days
  /** Days that it is overdue; 0 or less: it is not. */
  overdueDays: Days
}

/** An overdue order, and stock in inspection, is expected so many days from now, or a lead time where that is shorter. */
const ASSUMED_DELAY: Days = 7
/** An order overdue for longer is not expected any more. */
export const GIVEN_UP_AFTER: Days = 90
/** Customer orders that are due later, or were before, do not count. */
const YEAR: Days = 365

/** By input, which nobody changes: proposal, messages and risk of a pair ask for the same. */
const known = new WeakMap<ProposalInput, Situation | null>()

/** Null where stock or lead time is not known. */
export function situationOf(input: ProposalInput): Situation | null {
  const before = known.get(input)
  if (before !== undefined) return before
  const situation = countSituation(input)
  known.set(input, situation)
  return situation
}

function countSituation(input: ProposalInput): Situation | null {
  const { asOf, forecast, position, planning } = input
  const { onHand, openProposals } = position
  const { leadTimeDays } = planning
  const lateDays = planning.measuredLeadTime?.lateDays ?? null
  if (onHand === null || leadTimeDays === null) return null
  const hasOrderDays = Boolean(planning.orderDays?.length)
  const work = workCalendar(input)
  const calendar = (openFrom?: (day: Days) => Days) =>
    hasOrderDays
      ? onWeekdays(planning.orderDays!, weekdayOf(asOf), openFrom)
      : everyDay(reviewPeriodOf(input), openFrom)
  const orderCalendar = calendar(work?.orderFrom)
  const usableOn = work?.arrivalOf ?? ((day: Days) => day + leadTimeDays)
  const ordered = datedDemand(position.customerOrders ?? [], asOf)
  const needed = datedDemand(position.reservations ?? [], asOf)
  const backorders = withoutNoise((position.backorders ?? 0) + ordered.due)
  const reserved = withoutNoise((position.reserved ?? 0) + needed.due)
  const protection = protectionDays(leadTimeDays, usableOn(orderCalendar.next) - leadTimeDays)
  const batches = batchesOf(input)
  const expiring = Math.round(
    batches.reduce((sum, { days, waste }) => (days < protection ? sum + waste : sum), 0),
  )
  const free = withoutNoise(onHand - expiring - backorders - reserved)
  const inInspection = position.inInspection ?? 0
  const beyondForecast = ordersBeyondForecast(forecast, [...ordered.later, ...needed.later])
  const inspected = { day: assumedDelay(leadTimeDays), quantity: inInspection }
  const receipts = (position.receipts ?? [{ date: null, quantity: position.onOrder }])
    .map((receipt) => expected(receipt, asOf, leadTimeDays, lateDays))
    .map((receipt) => (work ? work.received(receipt) : receipt))
    .sort((a, b) => a.day - b.day)
  const arrivalDay = usableOn(orderCalendar.first)
  const delay = arrivalDay - orderCalendar.first - leadTimeDays
  const longer = (usual: OrderCalendar) => protection - arrivalDay - (usual.next - usual.first)
  const draftArrivals = (position.drafts ?? []).map(({ date, quantity }) => ({
    day: Math.max(arrivalDay, date === null ? 0 : daysBetween(asOf, date)),
    quantity,
  }))
  return {
    ...{ onHand, batches, expiring, backorders, reserved, free, inInspection, openProposals },
    ...{ receipts, draftArrivals, beyondForecast },
    supply: [
      ...(inInspection === 0 ? [] : [inspected]),
      ...receipts.filter(isExpected),
      ...draftArrivals,
      ...beyondForecast,
    ].reduce<Supply>(withArrival, { now: free, arrivals: [] }),
    leadTime: { meanDays: leadTimeDays, deviationDays: planning.leadTimeDeviationDays ?? 0 },
    orderCalendar,
    reviewClosedDays: work ? Math.max(0, orderCalendar.next - calendar().next) : 0,
    nextDecision: hasOrderDays ? orderCalendar.next : 1,
    protection,
    arrivalDay,
    closure: work ? Math.max(0, delay, longer(calendar())) : 0,
    arrivalOf: usableOn,
  }
}

/** What closed days of the supplier and the location do to days, counted from today; undefined where there are none. */
function workCalendar({ asOf, planning }: ProposalInput) {
  const { supplierClosed: supplier, locationClosed: location, leadTimeDays } = planning
  if (!supplier && !location) return undefined
  const today = toEpochDay(asOf)
  const orderFrom = (day: Days) => openFrom(supplier, today + day) - today
  const arrival = (day: Days) =>
    arrivalOf(today + day, leadTimeDays!, { supplier, location }) - today
  const received = (receipt: ExpectedReceipt): ExpectedReceipt => {
    const { day, date, orderedOn, overdueDays } = receipt
    // Nobody has promised a day: its lead time holds the closed days. What is overdue waits for the supplier.
    const isUndated = date === null && orderedOn != null && overdueDays === 0
    const shipped = isUndated
      ? Math.max(day, arrival(daysBetween(asOf, orderedOn)))
      : overdueDays > 0
        ? orderFrom(day)
        : day
    return { ...receipt, day: openFrom(location, today + shipped) - today }
  }
  return { orderFrom, arrivalOf: arrival, received }
}

/** No more than is on hand: of a batch that the ERP has counted twice nothing is made. */
function batchesOf({ asOf, forecast, position }: ProposalInput): ExpectedBatch[] {
  if (!position.batches?.length) return []
  let left = Math.max(0, position.onHand ?? 0)
  const there = position.batches
    .map(({ expiresOn, quantity, batch = null }) => ({
      ...{ batch, expiresOn, quantity },
      days: Math.max(0, daysBetween(asOf, expiresOn) + 1),
    }))
    .sort((a, b) => a.days - b.days)
    .map((one) => {
      const quantity = Math.min(one.quantity, left)
      left -= quantity
      return { ...one, quantity }
    })
  return expectedWaste(forecast, there)
}

/**
 * An order without a date is expected a lead time after it was placed, and where nobody knows when, it counts as there.
 * @param lateDays median delay of the supplier's late orders
 */
function expected(
  receipt: Receipt,
  asOf: string,
  leadTimeDays: Days,
  lateDays: Days | null,
): ExpectedReceipt {
  if (receipt.date === null) {
    const day = undatedDay(receipt.orderedOn ?? null, asOf, leadTimeDays)
    return { ...receipt, day, overdueDays: 0 }
  }
  const until = daysBetween(asOf, receipt.date)
  if (until >= 0) return { ...receipt, day: until, overdueDays: -until }
  const overdueDays = -until
  // What is later than usual already says nothing about the day.
  const isUsual = lateDays !== null && lateDays > overdueDays
  const day = isUsual ? lateDays - overdueDays : assumedDelay(leadTimeDays)
  return { ...receipt, day, overdueDays }
}

/** Nobody has promised a day, so that what takes longer than a lead time is not overdue. */
function undatedDay(orderedOn: string | null, asOf: string, leadTimeDays: Days): Days {
  if (orderedOn === null) return 0
  const due = daysBetween(asOf, orderedOn) + leadTimeDays
  return due >= 0 ? due : assumedDelay(leadTimeDays)
}

const assumedDelay = (leadTimeDays: Days) => Math.min(ASSUMED_DELAY, leadTimeDays)

/** Whether it counts as supply at all. */
export const isExpected = ({ overdueDays }: ExpectedReceipt) => overdueDays <= GIVEN_UP_AFTER

/** What is due today or before, and what is due later by day. */
export function datedDemand(orders: readonly CustomerOrder[], asOf: string) {
  let due = 0
  const later: { day: Days; quantity: Units }[] = []
  for (const { date, quantity } of orders) {
    const day = date === null ? 0 : daysBetween(asOf, date)
    if (Math.abs(day) > YEAR) continue
    if (day <= 0) due += quantity
    else later.push({ day, quantity })
  }
  return { due, later }
}

/** The review period, or the economic order interval where that is longer; never longer than a unit can be used. */
export function reviewPeriodOf({ forecast, planning, policy }: ProposalInput): Days {
  const review = planning.reviewPeriodDays ?? policy.reviewPeriodDays
  const { costs = 'quantile' in policy.target ? null : policy.target, orderLineCost } = policy
  if (!orderLineCost || !costs || !planning.unitCost) return review
  const { unitCost, shelfLifeDays } = planning
  const { carryingRate } = costs
  const interval = orderInterval(forecast, { orderLineCost, unitCost, carryingRate })
  return Math.max(review, Math.min(interval, shelfLifeDays ?? Infinity))
}
