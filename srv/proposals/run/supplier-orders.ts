import { byNaturalKey, byText } from '../../../engine/index.ts'
import {
  fillSupplierOrder,
  type ProposalException,
  type ProposalInput,
  type ProposalResult,
  raiseForSupplier,
  type SupplierLimits,
  type SupplierLine,
  type SupplierOrder,
  supplierLine,
} from '../../../engine/proposal/index.ts'
import type { PairInputs } from '../inputs/pair-inputs.ts'
import { settings } from '../../config.ts'
import { fillsOrder, type PolicyBook } from '../policy/book.ts'
import type { SourceMessage } from './source-exceptions.ts'

/** What filling a supplier's order adds to one of its lines. */
interface Raise {
  raisedBy: number
  /** Why the order cannot go out as it is; null where it can. */
  waits: ProposalException | null
}

/** By series: a chunk of pairs may be calculated again. */
type Order = Map<number, OrderLine>

interface OrderLine {
  sku: string
  location: string
  currency: string | null
  line: SupplierLine
}

/**
 * Orders to suppliers that demand a minimum order value or full containers: the quantities of their
 * pairs are final only when all lines are known. Keeps one line a pair, so that memory stays flat.
 */
export class SupplierOrders {
  readonly #policies: PolicyBook
  readonly #orders = new Map<string, Order>()
  readonly #conflicts: SourceMessage[] = []
  readonly #raises = new Map<number, Raise>()

  constructor(policies: PolicyBook) {
    this.#policies = policies
  }

  /** Adds the line of a pair if its supplier has such limits. @returns whether it has */
  addLine(pair: PairInputs, input: ProposalInput, result: ProposalResult): boolean {
    const { supplier, series, sku, location, currency } = pair
    if (!supplier || result.kind === 'blocked' || !this.#limitsOf(supplier)) return false
    const line = supplierLine(String(series), input, result)
    const order: Order = this.#orders.get(supplier) ?? new Map<number, OrderLine>()
    this.#orders.set(supplier, order)
    order.set(series, { sku, location, currency, line })
    return true
  }

  /** Fills the orders. @returns the series of all their lines */
  fillOrders(): number[] {
    const series: number[] = []
    // Of equal lines the first one is raised, and sums of money are made in this order.
    for (const supplier of [...this.#orders.keys()].sort(byText)) {
      const order = this.#orders.get(supplier)!
      const lines = [...order.values()].sort(byNaturalKey)
      const own = lines.map(({ line }) => line)
      const filled = fillSupplierOrder(own, this.#limitsOf(supplier)!)
      const waits = filled.status === 'below_minimum' ? waitOf(filled) : null
      for (const { key, raisedBy } of filled.lines) {
        series.push(Number(key))
        this.#raises.set(Number(key), { raisedBy, waits })
      }
      if (filled.coverItTakes !== undefined) {
        this.#conflicts.push(this.#conflictOf(supplier, lines, filled))
      }
      order.clear()
    }
    return series.sort((a, b) => a - b)
  }

  /** The suppliers of the lines added, and the minimums that are not reached though a line presses. */
  get conflicts(): { suppliers: string[]; found: SourceMessage[] } {
    return { suppliers: [...this.#orders.keys()], found: this.#conflicts }
  }

  /** A pair's result as part of its supplier's order. */
  raiseQuantity(pair: PairInputs, input: ProposalInput, result: ProposalResult): ProposalResult {
    const own = this.#raises.get(pair.series)
    if (!own || result.kind === 'blocked') return result
    if (own.raisedBy > 0) {
      const raised = raiseForSupplier(input, result, own.raisedBy)
      if (raised.kind !== 'order') return raised
      const rules = {
        ...raised.calculation.rules,
        supplier_minimum: `policy:supplier ${pair.supplier}`,
      }
      return { ...raised, calculation: { ...raised.calculation, rules } }
    }
    if (result.kind !== 'order' || own.waits === null) return result
    const exceptions = [...(result.calculation.exceptions ?? []), own.waits]
    return { ...result, calculation: { ...result.calculation, exceptions } }
  }

  #conflictOf(supplier: string, lines: OrderLine[], { missing, coverItTakes }: SupplierOrder) {
    const { minimumValue } = this.#limitsOf(supplier)!
    const currency = lines.find((line) => line.currency !== null)?.currency ?? null
    const locations = new Set(lines.map(({ location }) => location))
    const facts = {
      ...{ supplier, minimum: minimumValue!, missing: missing!.value, currency: currency ?? '' },
      limit: settings().supplierMinimumCoverDays,
    }
    return {
      ...{ kind: 'rule_conflict' as const, supplier, currency, value: missing!.value },
      location: locations.size === 1 ? [...locations][0]! : '',
      facts:
        coverItTakes == null
          ? { text: 'exception_minimum_unreachable', ...facts }
          : { text: 'exception_minimum_beyond_cover', ...facts, days: coverItTakes },
    }
  }

  #limitsOf(supplier: string): SupplierLimits | null {
    const rule = this.#policies.ofSupplier(supplier)
    if (!rule || !fillsOrder(rule)) return null
    const { minimumOrderValue, containerUnits, freeFreightFrom, freightCost } = rule
    return {
      minimumValue: minimumOrderValue === null ? null : Number(minimumOrderValue),
      freeFreight:
        freeFreightFrom === null
          ? null
          : { from: Number(freeFreightFrom), cost: Number(freightCost) },
      containerUnits,
      coverDays: settings().supplierMinimumCoverDays,
    }
  }
}

function waitOf({ message, waitUntil, coverItTakes }: SupplierOrder): ProposalException {
  return {
    code: coverItTakes === undefined ? 'below_supplier_minimum' : 'supplier_minimum_not_reached',
    message: waitUntil ? `${message} It can wait until ${waitUntil}.` : message,
  }
}
