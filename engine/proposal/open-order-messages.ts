import { type DemandForecast, demandQuantile, medianDemand } from '../inventory/demand.ts'
import { withoutNoise } from '../inventory/position.ts'
import {
  firstDay,
  stockoutDay,
  type Supply,
  supplyBefore,
  withArrival,
} from '../inventory/supply.ts'
import { addDays } from './dates.ts'
import { plain } from './plain.ts'
import { brokenPromises, PROMISE_KINDS } from './promises.ts'
import { daysOf, orderName, orderOf } from './order-words.ts'
import { type ExpectedReceipt, isExpected, type Situation, situationOf } from './situation.ts'
import type { ProposalInput } from './input.ts'
import type { Days, Level, Units } from '../types.ts'

export const OPEN_ORDER_KINDS = [
  'expedite',
  'postpone',
  'cancel_order',
  'overdue_order',
  'overstock',
  'dead_stock',
  'expiring_stock',
  ...PROMISE_KINDS,
] as const

/** What no proposal can mend; the kinds are codes of `/v1/exceptions`. */
export interface OpenOrderMessage {
  kind: (typeof OPEN_ORDER_KINDS)[number]
  /** The ERP's number of the order; null where there is none. */
  document: string | null
  quantity: Units
  /** The day that is promised, and the one that is wanted, `YYYY-MM-DD`. */
  from: string | null
  to: string | null
  /** One sentence. */
  message: string
  /** The expected cost of what is late or lacks, in the currency of the unit cost; null without costs, absent elsewhere. */
  valueAtRisk?: number | null
}

/** An order is postponed only by so many days or more: less is not worth a call. */
const LEAST_POSTPONEMENT: Days = 14
/** What is not wanted for so long after its arrival need not come at all. */
const NOT_NEEDED_AFTER: Days = 90
/** Stock beyond the demand (P90) of the protection interval and so many days more is too much. */
const OVERSTOCK_AFTER: Days = 180

/**
 * What no order can mend: open orders that should come sooner (`expedite`), later (`postpone`) or not at all
 * (`cancel_order`), orders that are overdue, and stock that is too much. Empty where stock or lead time is not known.
 * @param level the service target of the pair
 */
export function openOrderMessages(input: ProposalInput, level: Level): OpenOrderMessage[] {
  const situation = situationOf(input)
  if (!situation) return []
  const wanted = ordersTooLate(input, situation)
  const found = [
    ...overdueOrders(input, situation),
    ...wanted.map(({ message }) => message),
    ...ordersTooEarly(input, situation, level, new Set(wanted.map(({ receipt }) => receipt))),
    ...overstock(input, situation),
    ...expiringStock(situation),
    ...brokenPromises(input, situation),
  ]
  return found.map((message) => ({ ...message, quantity: withoutNoise(message.quantity) }))
}

function overdueOrders({ asOf }: ProposalInput, { receipts }: Situation): OpenOrderMessage[] {
  return receipts
    .filter(({ overdueDays, quantity }) => overdueDays > 0 && quantity > 0)
    .map((receipt) => ({
      ...orderOf(receipt, 'overdue_order'),
      message: `${orderName(receipt)} was due on ${receipt.date}, ${daysOf(receipt.overdueDays)} before ${asOf}.`,
    }))
}

/**
 * The shelf is empty, by the median, before an order placed now arrives, and a later receipt would help: with what is missing
 * until it comes, or that order does. What one brings sooner the next ones need not.
 */
function ordersTooLate({ asOf, forecast }: ProposalInput, situation: Situation): TooLate[] {
  let { supply } = situation
  const found: TooLate[] = []
  for (const receipt of situation.receipts.filter(isExpected)) {
    const until = Math.min(receipt.day, situation.arrivalDay)
    const out = receipt.quantity > 0 ? stockoutDay(forecast, supply, until) : null
    if (out === null) continue
    const day = Math.max(1, out)
    const missing = mostMissing(forecast, supply, out, until)
    if (day >= receipt.day || missing < 0.5) continue
    const quantity = Math.min(receipt.quantity, Math.ceil(missing))
    supply = withArrival(supply, { day, quantity })
    supply = withArrival(supply, { day: receipt.day, quantity: -quantity })
    const to = addDays(asOf, day)
    const due = receipt.date === null ? 'without a date' : `due on ${addDays(asOf, receipt.day)}`
    const message = `${plain(quantity)} of ${orderName(receipt)}, ${due}, are wanted on ${to}: the shelf is empty from then on.`
    found.push({ receipt, message: { ...orderOf(receipt, 'expedite'), quantity, to, message } })
  }
  return found
}

/** It is largest just before something comes. */
function mostMissing(forecast: DemandForecast, supply: Supply, from: Days, until: Days): Units {
  const stops = supply.arrivals.map(({ day }) => day).filter((day) => day > from && day < until)
  const missing = [...stops, until].map(
    (day) => medianDemand(forecast, day) - supplyBefore(supply, day),
  )
  return Math.max(...missing)
}

interface TooLate {
  receipt: ExpectedReceipt
  message: OpenOrderMessage
}

/**
 * From the last receipt back: what supply without it holds out for, at the service target, decides. What should come
 * sooner is not put off.
 */
function ordersTooEarly(
  { asOf, forecast }: ProposalInput,
  { supply, receipts, draftArrivals, leadTime, protection }: Situation,
  level: Level,
  tooLate: ReadonlySet<ExpectedReceipt>,
): OpenOrderMessage[] {
  const messages: OpenOrderMessage[] = []
  // What nobody has ordered yet is no reason to put off what is ordered.
  let spared = draftArrivals.reduce((sum, { quantity }) => sum + quantity, 0)
  for (const receipt of receipts
    .filter(({ day }) => day > stoppableFrom(leadTime.meanDays))
    .reverse()) {
    if (tooLate.has(receipt)) break
    const without = supplyBefore(supply, Infinity) - spared - receipt.quantity
    const wanted = firstDayWanted(
      receipt.day,
      (day) => demandQuantile(forecast, day + protection - leadTime.meanDays, level) > without,
    )
    if (wanted - receipt.day < LEAST_POSTPONEMENT || receipt.quantity <= 0) break
    spared += receipt.quantity
    const isCancelled = wanted - receipt.day > NOT_NEEDED_AFTER
    const to = isCancelled ? null : addDays(asOf, wanted)
    messages.push({
      ...orderOf(receipt, isCancelled ? 'cancel_order' : 'postpone'),
      to,
      message: isCancelled
        ? `${orderName(receipt)} for ${plain(receipt.quantity)} is not needed for ${daysOf(NOT_NEEDED_AFTER)} after its arrival and more.`
        : `${orderName(receipt)} for ${plain(receipt.quantity)} is needed only on ${to}.`,
    })
  }
  return messages
}

/** Orders of the next days are on their way: nobody stops them. */
const stoppableFrom = (days: Days) => Math.min(7, days)

function firstDayWanted(from: Days, isShort: (day: Days) => boolean): Days {
  const far = from + NOT_NEEDED_AFTER + 1
  return isShort(far) ? firstDay(from, far, isShort) : far
}

function overstock({ forecast }: ProposalInput, situation: Situation): OpenOrderMessage[] {
  const { onHand, free, beyondForecast, protection } = situation
  // What customers have ordered ahead is no overstock.
  const there = withoutNoise(beyondForecast.reduce((sum, { quantity }) => sum + quantity, free))
  // Demand of more days is never less; that of the protection interval is known from the proposal.
  if (there <= demandQuantile(forecast, protection, 0.9)) return []
  const enough = demandQuantile(forecast, protection + OVERSTOCK_AFTER, 0.9)
  const quantity: Units = Math.floor(there - enough)
  if (quantity < 1) return []
  const isDead = medianDemand(forecast, OVERSTOCK_AFTER) < 0.5 && enough < there / 2
  return [
    {
      kind: isDead ? 'dead_stock' : 'overstock',
      document: null,
      quantity,
      from: null,
      to: null,
      message: isDead
        ? `${plain(there)} on hand, and no demand is expected in ${daysOf(OVERSTOCK_AFTER)}.`
        : `${plain(quantity)} of ${plain(onHand)} on hand are more than the demand (P90) of ${daysOf(Math.round(protection + OVERSTOCK_AFTER))}.`,
    },
  ]
}

/** What of a batch will not be sold before its date, a message each: no order mends it. */
function expiringStock({ batches }: Situation): OpenOrderMessage[] {
  return batches.flatMap(({ batch, expiresOn, days, quantity: there, waste }) => {
    const quantity = Math.round(waste)
    if (quantity < 1) return []
    const name = batch === null ? 'A batch' : `Batch ${batch}`
    const message =
      days > 0
        ? `${name} of ${plain(there)} can be sold until ${expiresOn}; ${plain(quantity)} of it will not be, by the forecast: sell them off, or transfer them to where they are wanted.`
        : `${name} of ${plain(there)} could be sold until ${expiresOn}: take it out of the stock on hand.`
    const document = batch ?? expiresOn
    return [{ kind: 'expiring_stock', document, quantity, from: expiresOn, to: null, message }]
  })
}
