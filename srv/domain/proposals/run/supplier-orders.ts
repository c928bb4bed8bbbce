import { byNaturalKey, byText } from '../../../../engine/index.ts'
import {
  type FreeFreightTerm,
  fillSupplierOrder,
  type OrderOrWait,
  type ProposalException,
  type ProposalInput,
  type ProposalResult,
  raiseForSupplier,
  type SupplierLine,
  type SupplierOrder,
  type SupplierWaitTerm,
  supplierLine,
  unitCostAt,
  waitForSupplier,
} from '../../../../engine/proposal/index.ts'
import type { PairInputs } from '../terms/pair-inputs.ts'
import type { Facts } from '../../../base/texts/sentences.ts'
import type { OrderTerms, SupplierTermsBook } from '../terms/supplier-terms.ts'
import type { SourceMessage } from './exceptions.ts'

/** The units that filling a supplier's order adds to one of its lines; plain JSON, as a line is. */
export interface Raise {
  raisedBy: number
  freeFreight: FreeFreightTerm | null
  /** Null where the order does not wait. */
  wait: SupplierWaitTerm | null
  /** Messages about the order: why it cannot be placed as it is, or about its freight. */
  notes: ProposalException[]
  terms: OrderTerms
}

interface Order {
  supplier: string
  terms: OrderTerms
  lines: OrderLine[]
}

/** The part of a pair in an order to its supplier. */
export interface OrderLine {
  series: number
  supplier: string
  sku: string
  location: string
  currency: string | null
  line: SupplierLine
}

/** The line of a pair whose supplier has terms for a whole order; null for all others. */
export function orderLineOf(
  terms: SupplierTermsBook,
  { supplier, series, sku, location, currency }: PairInputs,
  input: ProposalInput,
  result: ProposalResult,
): OrderLine | null {
  if (!supplier || result.kind === 'blocked' || !terms.of(supplier, location)) return null
  const line = supplierLine(String(series), input, result)
  return { series, supplier, sku, location, currency, line }
}

/**
 * Orders of suppliers with terms for a whole order, of all locations or of each. The quantities of their pairs are final only
 * when all lines are known. One line is kept for each pair, so that little memory is needed.
 */
export class SupplierOrders {
  readonly #orders = new Map<string, Order>()
  readonly #conflicts: SourceMessage[] = []
  readonly #raises = new Map<number, Raise>()

  constructor(book: SupplierTermsBook, lines: readonly OrderLine[]) {
    for (const line of lines) {
      const { supplier, location } = line
      const terms = book.of(supplier, location)
      // Whoever has taken them away since has all pairs of the supplier calculated again.
      if (!terms) continue
      const key = `${supplier}\u0000${terms.location}`
      const order = this.#orders.get(key) ?? { supplier, terms, lines: [] }
      this.#orders.set(key, order)
      order.lines.push(line)
    }
  }

  /** Fills the orders. @returns what becomes of their lines, by series in ascending order */
  fillOrders(): [series: number, raise: Raise][] {
    // The order is fixed, so that of equal lines always the same one is raised, and sums of money come out the same.
    for (const key of [...this.#orders.keys()].sort(byText)) {
      const order = this.#orders.get(key)!
      const lines = order.lines.sort(byNaturalKey)
      const conflicts = ordersIn(lines, order.terms).flatMap((own) => this.#fill(order, own))
      // One exception says of a supplier that its minimum is not reached, whatever the currency.
      this.#conflicts.push(...conflicts.slice(0, 1))
    }
    return [...this.#raises].sort(([a], [b]) => a - b)
  }

  #fill(order: Order, lines: OrderLine[]): SourceMessage[] {
    const { terms } = order
    const own = lines.map(({ line }) => line)
    const filled = fillSupplierOrder(own, terms.limits)
    const notes = notesOf(own, filled, terms)
    const { orderOrWait: choice } = filled
    const wait = choice?.decision === 'wait' ? waitTerm(choice) : null
    for (const { key, raisedBy, freight } of filled.lines) {
      const freeFreight = freight ? freightTerm(freight, terms) : null
      this.#raises.set(Number(key), { raisedBy, freeFreight, wait, notes, terms })
    }
    return filled.coverItTakes === undefined ? [] : [conflictOf(order, lines, filled)]
  }

  /** The suppliers of the added lines, and the minimums that are not reached though a line is urgent. */
  get conflicts(): { suppliers: string[]; found: SourceMessage[] } {
    const suppliers = new Set([...this.#orders.values()].map(({ supplier }) => supplier))
    return { suppliers: [...suppliers], found: this.#conflicts }
  }
}

/** The result of a pair with the units that were added to its line. */
export function raiseQuantity(
  own: Raise,
  input: ProposalInput,
  result: ProposalResult,
): ProposalResult {
  if (result.kind === 'blocked') return result
  const { raisedBy, freeFreight, wait, terms } = own
  const added = raisedBy > 0 ? raiseForSupplier(input, result, raisedBy, freeFreight) : result
  const raised = wait === null ? added : waitForSupplier(input, added, wait)
  if (raised.kind !== 'order') return raised
  const { calculation } = raised
  const rules = {
    ...calculation.rules,
    ...(calculation.supplierMinimum &&
      terms.minimumFrom && { supplier_minimum: terms.minimumFrom }),
    ...(terms.orderCostFrom && { order_cost: terms.orderCostFrom }),
    ...(calculation.freeFreight && terms.freightFrom && { free_freight: terms.freightFrom }),
  }
  const exceptions = [...(calculation.exceptions ?? []), ...own.notes]
  return {
    ...raised,
    calculation: { ...calculation, rules, ...(exceptions.length > 0 && { exceptions }) },
  }
}

/**
 * The lines by order: amounts of several currencies are never added up, so that each has an order of its own where the terms
 * name an amount. Lines without a cost go with the currency of most lines.
 */
function ordersIn(lines: OrderLine[], { limits }: OrderTerms): OrderLine[][] {
  if (!limits.minimumValue && !limits.freeFreight && !limits.orderCost) return [lines]
  const priced = Map.groupBy(lines, ({ currency }) => currency)
  priced.delete(null)
  if (priced.size < 2) return [lines]
  const [most] = [...priced].sort(([a, x], [b, y]) => y.length - x.length || byText(a!, b!))[0]!
  const orders = Map.groupBy(lines, ({ currency }) => currency ?? most)
  return [...orders].sort(([a], [b]) => byText(a!, b!)).map(([, own]) => own)
}

function conflictOf(
  { supplier, terms }: Order,
  lines: OrderLine[],
  { missing, coverItTakes }: SupplierOrder,
): SourceMessage {
  const { minimumValue, minimumQuantity, coverDays } = terms.limits
  const ofValue = missing!.value > 0
  const currency = ofValue ? (lines.find((line) => line.currency !== null)?.currency ?? null) : null
  const locations = new Set(lines.map(({ location }) => location))
  const asked: Omit<Facts, 'text'> = ofValue
    ? { minimum: minimumValue!, missing: missing!.value, currency: currency ?? '' }
    : { minimum: minimumQuantity!, missing: missing!.quantity }
  const text = ofValue ? 'exception_minimum' : 'exception_units'
  const facts: Facts = { text: `${text}_unreachable`, supplier, ...asked, limit: coverDays! }
  return {
    ...{ kind: 'rule_conflict', supplier, currency, value: ofValue ? missing!.value : null },
    location: locations.size === 1 ? [...locations][0]! : '',
    facts:
      coverItTakes == null ? facts : { ...facts, text: `${text}_beyond_cover`, days: coverItTakes },
  }
}

const waitTerm = ({ waitDays, costOfWaiting, saving }: OrderOrWait): SupplierWaitTerm => ({
  ...{ days: waitDays, costOfWaiting, saving },
})

const freightTerm = (
  { units, carryingCost }: { units: number; carryingCost: number },
  { limits }: OrderTerms,
): FreeFreightTerm => ({
  ...{ units, from: limits.freeFreight!.from },
  ...{ freightCost: limits.freeFreight!.cost, carryingCost },
})

/** The messages that each line of the order carries. */
function notesOf(
  lines: SupplierLine[],
  order: SupplierOrder,
  terms: OrderTerms,
): ProposalException[] {
  const choice = order.orderOrWait ? [choiceNote(order.orderOrWait, terms)] : []
  return [...choice, ...limitNotes(lines, order, terms)]
}

/** Why an order that costs something goes out today, or waits. */
function choiceNote(choice: OrderOrWait, { limits }: OrderTerms): ProposalException {
  const { decision, isPressing, intervalDays, waitDays, costOfWaiting, saving } = choice
  const days = `${waitDays} day${waitDays === 1 ? '' : 's'}`
  const [loss, gain] = [costOfWaiting.toFixed(2), saving.toFixed(2)]
  if (decision === 'wait') {
    const message =
      `Waits for the next order day: ${days} more cost ${loss} with all lines of the supplier, as expected, ` +
      `and save ${gain} of the ${limits.orderCost!.toFixed(2)} that an order costs.`
    return { code: 'order_waits', message }
  }
  const why = isPressing
    ? 'a line of the supplier is due whose cost is not known or whose service target is set'
    : `waiting ${days} would cost ${loss} with all lines of the supplier, as expected, and save ${gain}`
  const message = `Joins today's order: ${why}. At ${limits.orderCost!.toFixed(2)} an order, its lines are made to last ${intervalDays} days.`
  return { code: 'order_now', message }
}

function limitNotes(
  lines: SupplierLine[],
  order: SupplierOrder,
  { limits }: OrderTerms,
): ProposalException[] {
  if (order.status === 'below_minimum') return [waitOf(order)]
  if (order.freight !== 'paid') return []
  const { from, cost } = limits.freeFreight!
  const isPriced = lines.every(({ unitCost, priceBreaks: breaks = [] }, i) => {
    const { quantity } = order.lines[i]!
    return quantity === 0 || Boolean(unitCostAt(quantity, { unitCost, breaks }))
  })
  const subject = isPriced ? 'The' : 'As far as unit costs are known, the'
  const message =
    `${subject} supplier's order is below ${from.toFixed(2)}, so its freight of ${cost.toFixed(2)} is paid: ` +
    'keeping what would fill it up costs more, or no line has room for it.'
  return [{ code: 'freight_paid', message }]
}

function waitOf({ message, waitUntil, coverItTakes }: SupplierOrder): ProposalException {
  return {
    code: coverItTakes === undefined ? 'below_supplier_minimum' : 'supplier_minimum_not_reached',
    message: waitUntil ? `${message} It can wait until ${waitUntil}.` : message,
  }
}
