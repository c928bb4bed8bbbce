import { inventoryPosition } from '../inventory/position.ts'
import { orderQuantity } from '../inventory/limits.ts'
import { MAX_HORIZON_DAYS } from '../horizon.ts'
import { amount, plain } from './plain.ts'
import { quantityOfPair } from './sum.ts'
import type { Calculation } from './calculation.ts'

type Counted = { count: number }
type PriceFall = {
  count: number
  total: number
  before: string
  price: string
  saving: string
  carrying: string
}
type Short = { supply: string; missing: number; target: string }

/** The parts of the sentence in English, its numbers in plain digits. Another language has the same parts. */
export const ENGLISH_RATIONALE = {
  demand: (to: { p50: number; days: string }) =>
    `Expected demand (P50) is ${plain(to.p50)} over the next ${to.days}`,
  forecastRaised: (to: { percent: number; reason: string }) =>
    `forecast raised by ${plain(to.percent)} % by a planner: ${to.reason}`,
  forecastLowered: (to: { percent: number; reason: string }) =>
    `forecast lowered by ${plain(to.percent)} % by a planner: ${to.reason}`,
  forecastSet: (to: { count: number; reason: string }) =>
    `forecast set to ${plain(to.count)} by a planner: ${to.reason}`,
  forecastBefore: (to: Counted) => `P50 ${plain(to.count)} without that`,
  onHand: (to: Counted) => `${plain(to.count)} on hand`,
  expiring: (to: { first: string; count: number }) =>
    `${to.first}, of which ${plain(to.count)} will expire unsold,`,
  onOrder: (to: Counted) => `${plain(to.count)} on order`,
  inInspection: (to: Counted) => `${plain(to.count)} in inspection`,
  drafts: (to: Counted) => `${plain(to.count)} in drafts of the ERP`,
  openProposals: (to: Counted) => `${plain(to.count)} in open proposals`,
  covers: (to: { supply: string; target: string }) => `${to.supply} cover that and ${to.target}`,
  coversShort: (to: Short) =>
    `${to.supply} cover that but are ${plain(to.missing)} short of ${to.target}`,
  short: (to: Short) =>
    `${to.supply} do not cover that and are ${plain(to.missing)} short of ${to.target}`,
  shortOnly: (to: Short) => `${to.supply} are ${plain(to.missing)} short of ${to.target}`,
  target: (to: { target: string }) => `the target of ${to.target}`,
  targetStock: (to: { count: number; level: number }) => `${plain(to.count)} (P${to.level})`,
  beyond: (to: { count: number; days: string }) =>
    `${plain(to.count)} for the ${to.days} after that`,
  leadTimeSafety: (to: Counted) => `${plain(to.count)} for an uncertain lead time`,
  backorders: (to: Counted) => `${plain(to.count)} on backorder`,
  reserved: (to: Counted) => `${plain(to.count)} reserved beyond the forecast`,
  plus: (to: { first: string; more: string }) => `${to.first} plus ${to.more}`,
  coveredLater: (to: { sum: string; count: number }) =>
    `${to.sum} less ${plain(to.count)} that later receipts cover`,
  lostBefore: (to: { sum: string; count: number }) =>
    `${to.sum} less ${plain(to.count)} that find no stock before and are lost`,
  leadTime: (to: { days: string }) => `supplier lead time ${to.days}`,
  closed: (to: { days: string }) => `closed days of supplier or location add ${to.days}`,
  closedNext: (to: { days: string }) => `closed days postpone the next order by ${to.days}`,
  deviation: (to: { days: string; deviation: number }) => `${to.days} ± ${plain(to.deviation)}`,
  moq: (to: Counted) => `the minimum order of ${plain(to.count)}`,
  lot: (to: Counted) => `lots of ${plain(to.count)}`,
  whole: () => 'whole units',
  rounded: (to: { count: number; rules: string }) =>
    `rounded up to ${plain(to.count)} for ${to.rules}`,
  spare: (to: Counted) => `the ${plain(to.count)} that the other location can spare`,
  maximumOrder: (to: Counted) => `the maximum order of ${plain(to.count)}`,
  maximumStock: (to: Counted) => `the maximum stock of ${plain(to.count)}`,
  shelfLife: (to: { days: string }) => `the shelf life of ${to.days}`,
  cut: (to: { count: number; rules: string }) => `cut to ${plain(to.count)} for ${to.rules}`,
  priceBreak: (to: PriceFall) =>
    `raised from ${plain(to.count)} to ${plain(to.total)}: the price falls from ${to.before} to ${to.price} and saves ${to.saving}, carrying costs ${to.carrying}`,
  supplierMinimum: (to: { count: number; total: number }) =>
    `${plain(to.count)} more, ${plain(to.total)}, for the supplier's whole order`,
  freeFreight: (to: { count: number; total: number; freight: string; carrying: string }) =>
    `${plain(to.count)} more, ${plain(to.total)}, to save the freight of ${to.freight} of the supplier's order, carrying costs ${to.carrying}`,
  supplierWait: (to: { days: string; cost: string; saving: string }) =>
    `the supplier's order waits for its next day: ${to.days} more cost ${to.cost} with all its lines, as expected, and save ${to.saving}`,
  phaseOut: (to: { day: string }) => `phased out on ${to.day}, no demand from then on`,
  stale: (to: { day: string }) => `demand or stock is of ${to.day}, too old to order by`,
  and: (to: { first: string; last: string }) => `${to.first} and ${to.last}`,
  /** Money, with at least two decimals. */
  amount: (to: Counted) => amount(to.count),
  days: (to: Counted) => `${plain(to.count)} days`,
  daysOne: (to: Counted) => `${plain(to.count)} day`,
  /** In some languages days have another form after a preposition. */
  daysOf: (to: Counted) => `${plain(to.count)} days`,
  daysOfOne: (to: Counted) => `${plain(to.count)} day`,
}

export type RationaleWords = typeof ENGLISH_RATIONALE

/** One sentence for the buyer; its numbers are those of the calculation. */
export function rationaleOf(calculation: Calculation, words = ENGLISH_RATIONALE): string {
  const { p50, horizonDays } = calculation
  const parts = [
    words.demand({ p50, days: daysOf(horizonDays, words) }),
    ...overridesOf(calculation, words),
    coverageOf(calculation, words),
    words.leadTime({ days: leadTimeOf(calculation, words) }),
    ...(calculation.closedDays
      ? [words.closed({ days: days(calculation.closedDays, words) })]
      : []),
    ...(calculation.reviewClosedDays
      ? [words.closedNext({ days: days(calculation.reviewClosedDays, words) })]
      : []),
    ...roundingOf(calculation, words),
    ...limitsOf(calculation, words),
    ...priceBreakOf(calculation, words),
    ...supplierMinimumOf(calculation, words),
    ...freeFreightOf(calculation, words),
    ...supplierWaitOf(calculation, words),
    ...(calculation.phaseOutOn ? [words.phaseOut({ day: calculation.phaseOutOn })] : []),
    ...(calculation.staleSince ? [words.stale({ day: calculation.staleSince })] : []),
  ]
  return `${parts.join('; ')}.`
}

/** Changes that are told by themselves, and how much of a reason: the sentence has a length. */
const TOLD = { changes: 2, reason: 100 }

function overridesOf({ forecastOverride }: Calculation, words: RationaleWords): string[] {
  if (!forecastOverride) return []
  const { changes, p50: count } = forecastOverride
  const told = changes.slice(0, TOLD.changes).map(({ percent, units, reason: whole }) => {
    const reason = whole.length > TOLD.reason ? `${whole.slice(0, TOLD.reason)}…` : whole
    if (percent === null) return words.forecastSet({ count: units ?? 0, reason })
    const by = { percent: Math.abs(percent), reason }
    return percent < 0 ? words.forecastLowered(by) : words.forecastRaised(by)
  })
  return [...told, words.forecastBefore({ count })]
}

function coverageOf(calculation: Calculation, words: RationaleWords): string {
  const { p50, netRequirement: missing } = calculation
  const target = words.target({ target: targetOf(calculation, words) })
  const supply = supplyOf(calculation, words)
  const position = inventoryPosition(calculation)
  // Nothing covers nothing: of a demand whose median is 0 an empty shelf says only what it is short of.
  if (position <= 0 && p50 === 0) return words.shortOnly({ supply, missing, target })
  if (missing === 0) return words.covers({ supply, target })
  const isCovered = position >= p50
  return (isCovered ? words.coversShort : words.short)({ supply, missing, target })
}

function supplyOf(calculation: Calculation, words: RationaleWords): string {
  const { onHand, expiring, onOrder, inInspection, openProposals, drafts } = calculation
  const first = words.onHand({ count: onHand })
  const supply = [expiring ? words.expiring({ first, count: expiring }) : first]
  if (onOrder !== 0 || openProposals === 0) supply.push(words.onOrder({ count: onOrder }))
  if (inInspection) supply.push(words.inInspection({ count: inInspection }))
  if (drafts) supply.push(words.drafts({ count: drafts }))
  if (openProposals !== 0) supply.push(words.openProposals({ count: openProposals }))
  return listed(supply, words)
}

function targetOf(calculation: Calculation, words: RationaleWords): string {
  const { targetStock, targetQuantile, leadTimeSafety, beyondHorizon, backorders } = calculation
  const { reserved, coveredLater, lostBeforeArrival } = calculation
  const level = Math.round(targetQuantile * 100)
  const first = words.targetStock({ count: targetStock, level })
  const more: string[] = []
  if (beyondHorizon) {
    const { leadTimeDays, reviewPeriodDays, closedDays = 0 } = calculation
    const further = leadTimeDays + reviewPeriodDays + closedDays - MAX_HORIZON_DAYS
    more.push(words.beyond({ count: beyondHorizon, days: days(further, words) }))
  }
  if (leadTimeSafety) more.push(words.leadTimeSafety({ count: leadTimeSafety }))
  if (backorders) more.push(words.backorders({ count: backorders }))
  if (reserved) more.push(words.reserved({ count: reserved }))
  const sum = more.length ? words.plus({ first, more: listed(more, words) }) : first
  const rest = coveredLater ? words.coveredLater({ sum, count: coveredLater }) : sum
  return lostBeforeArrival ? words.lostBefore({ sum: rest, count: lostBeforeArrival }) : rest
}

function leadTimeOf(calculation: Calculation, words: RationaleWords): string {
  const { leadTimeDays, leadTimeDeviationDays: deviation } = calculation
  const time = days(leadTimeDays, words)
  return deviation ? words.deviation({ days: time, deviation }) : time
}

function roundingOf(calculation: Calculation, words: RationaleWords): string[] {
  const { netRequirement, moq, lotSize, quantity } = calculation
  const count = orderQuantity(netRequirement, { moq, lotSize })
  if (count === netRequirement || quantity < netRequirement) return []
  const rules: string[] = []
  if (moq > netRequirement) rules.push(words.moq({ count: moq }))
  if (lotSize !== 1) rules.push(words.lot({ count: lotSize }))
  if (rules.length === 0) rules.push(words.whole())
  return [words.rounded({ count, rules: listed(rules, words) })]
}

function limitsOf(calculation: Calculation, words: RationaleWords): string[] {
  const { drivers, limit, maximumOrder, maximumStock, shelfLifeDays } = calculation
  const rules: string[] = []
  if (drivers.includes('spare_stock_cap')) rules.push(words.spare({ count: limit! }))
  if (drivers.includes('max_order_cap')) rules.push(words.maximumOrder({ count: maximumOrder! }))
  if (drivers.includes('max_stock_cap')) rules.push(words.maximumStock({ count: maximumStock! }))
  if (drivers.includes('shelf_life_cap')) {
    rules.push(words.shelfLife({ days: daysOf(shelfLifeDays!, words) }))
  }
  if (rules.length === 0) return []
  const count = quantityOfPair(calculation)
  return [words.cut({ count, rules: listed(rules, words) })]
}

function supplierMinimumOf(calculation: Calculation, words: RationaleWords): string[] {
  const { supplierMinimum: count, freeFreight } = calculation
  const total = calculation.quantity - (freeFreight?.units ?? 0)
  return count ? [words.supplierMinimum({ count, total })] : []
}

function priceBreakOf(calculation: Calculation, words: RationaleWords): string[] {
  const { priceBreak } = calculation
  if (!priceBreak) return []
  const { units, unitCost, unitCostBefore, saving, carryingCost } = priceBreak
  const total = quantityOfPair(calculation)
  const money = (count: number) => words.amount({ count })
  return [
    words.priceBreak({
      ...{ count: total - units, total, before: money(unitCostBefore), price: money(unitCost) },
      ...{ saving: money(saving), carrying: money(carryingCost) },
    }),
  ]
}

function freeFreightOf(calculation: Calculation, words: RationaleWords): string[] {
  const { freeFreight, quantity: total } = calculation
  if (!freeFreight) return []
  const { units: count, freightCost, carryingCost } = freeFreight
  const money = (count: number) => words.amount({ count })
  const freight = money(freightCost)
  return [words.freeFreight({ count, total, freight, carrying: money(carryingCost) })]
}

function supplierWaitOf({ supplierWait }: Calculation, words: RationaleWords): string[] {
  if (!supplierWait) return []
  const { days: count, costOfWaiting, saving } = supplierWait
  const money = (count: number) => words.amount({ count })
  return [
    words.supplierWait({
      ...{ days: days(count, words), cost: money(costOfWaiting), saving: money(saving) },
    }),
  ]
}

const days = (count: number, words: RationaleWords) =>
  (count === 1 ? words.daysOne : words.days)({ count })

const daysOf = (count: number, words: RationaleWords) =>
  (count === 1 ? words.daysOfOne : words.daysOf)({ count })

/** a, b and c */
function listed(parts: string[], words: RationaleWords): string {
  const last = parts.at(-1)!
  return parts.length === 1 ? last : words.and({ first: parts.slice(0, -1).join(', '), last })
}
