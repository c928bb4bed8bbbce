// What a supplier has made of orders: later than was counted on, less than ordered, or nothing confirmed.
import { demandOver } from '../inventory/demand.ts'
import { expectedShortage } from '../inventory/mixture.ts'
import { withoutNoise } from '../inventory/position.ts'
import { supplyBefore } from '../inventory/supply.ts'
import { daysBetween } from './dates.ts'
import { daysOf, orderName, orderOf } from './order-words.ts'
import { plain } from './plain.ts'
import type { ExpectedReceipt, Situation } from './situation.ts'
import type { ProposalInput } from './input.ts'
import type { Days, Units } from '../types.ts'

export const PROMISE_KINDS = ['slipped_order', 'short_confirmation', 'unconfirmed_order'] as const

/** A slip that costs nothing and is no longer says nothing: work days and closures move a day by so much. */
const TOLERATED_SLIP: Days = 3

/** What is overdue is told as that. */
export const brokenPromises = (input: ProposalInput, situation: Situation) =>
  situation.receipts
    .filter(({ overdueDays }) => overdueDays <= 0)
    .flatMap((receipt) => [
      ...slip(input, situation, receipt),
      ...shortage(input, situation, receipt),
      ...silence(input, situation, receipt),
    ])

function slip(input: ProposalInput, situation: Situation, receipt: ExpectedReceipt) {
  const { date, countedOn, quantity, day: to } = receipt
  if (date === null || countedOn === undefined || quantity <= 0) return []
  const days = daysBetween(countedOn, date)
  if (days <= 0) return []
  const from = daysBetween(input.asOf, countedOn)
  const valueAtRisk = costOfDelay(input, situation, { quantity, from, to, without: 0 })
  if (days <= TOLERATED_SLIP && !valueAtRisk) return []
  const message = `${orderName(receipt)} for ${plain(quantity)} was counted on for ${countedOn}, and comes on ${date}, ${daysOf(days)} later.`
  return [{ ...orderOf(receipt, 'slipped_order'), to: countedOn, message, valueAtRisk }]
}

/** At the latest an order that is placed now replaces it. */
function shortage(input: ProposalInput, situation: Situation, receipt: ExpectedReceipt) {
  const { unconfirmed: quantity = 0, quantity: confirmed, day: from } = receipt
  if (quantity <= 0) return []
  const of = { quantity, from, to: situation.arrivalDay, without: 0 }
  const message = `${orderName(receipt)} is confirmed for ${plain(confirmed)}: ${plain(quantity)} are not, and are not counted as coming.`
  const valueAtRisk = costOfDelay(input, situation, of)
  return [{ ...orderOf(receipt, 'short_confirmation'), quantity, message, valueAtRisk }]
}

function silence(input: ProposalInput, situation: Situation, receipt: ExpectedReceipt) {
  const { confirmedWithinDays: within = 0 } = input.policy
  const { orderedOn, quantity, day: from, isConfirmed } = receipt
  if (isConfirmed !== false || !within || !orderedOn || quantity <= 0) return []
  const days = daysBetween(orderedOn, input.asOf)
  if (days < within) return []
  const of = { quantity, from, to: situation.arrivalDay, without: quantity }
  const message = `${orderName(receipt)} for ${plain(quantity)} is not confirmed, ${daysOf(days)} after it was placed.`
  const valueAtRisk = costOfDelay(input, situation, of)
  return [{ ...orderOf(receipt, 'unconfirmed_order'), to: orderedOn, message, valueAtRisk }]
}

interface Delay {
  quantity: Units
  /** The days on which it was to be there, and on which it is, or what replaces it. */
  from: Days
  to: Days
  /** What of it the supply counts from its day on. */
  without: Units
}

/**
 * The expected cost of units that come on a later day: of the shortage that they would have averted until then, as
 * `costOfWaiting` counts it, in the currency of the unit cost. Null without costs.
 */
function costOfDelay(
  { forecast, planning, policy }: ProposalInput,
  { supply, openProposals, arrivalDay }: Situation,
  { quantity, from, to, without }: Delay,
): number | null {
  const costs = policy.costs ?? ('quantile' in policy.target ? null : policy.target)
  if (!costs || planning.unitCost == null) return null
  if (to <= from) return 0
  const averted = (day: Days) => {
    const position =
      supplyBefore(supply, day) -
      (from < day ? without : 0) +
      (arrivalDay < day ? openProposals : 0)
    if (day <= 0) return Math.max(0, -position) - Math.max(0, -position - quantity)
    const demand = [{ weight: 1, demand: demandOver(forecast, day) }]
    return expectedShortage(demand, position) - expectedShortage(demand, position + quantity)
  }
  const units = withoutNoise(Math.max(0, averted(to) - averted(Math.max(0, from))))
  return Math.round(costs.stockoutRate * units * planning.unitCost * 100) / 100
}
