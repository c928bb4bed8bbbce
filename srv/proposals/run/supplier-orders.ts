import {
  fillSupplierOrder,
  type ProposalInput,
  type ProposalResult,
  raiseForSupplier,
  type SupplierLimits,
  type SupplierLine,
  supplierLine,
} from '../../../engine/proposal/index.ts'
import type { PairInputs } from '../inputs/pair-inputs.ts'
import type { PolicyBook } from '../policy/book.ts'

/** What filling a supplier's order adds to one of its lines. */
interface Raise {
  raisedBy: number
  /** Why the order cannot go out as it is; null where it can. */
  waits: string | null
}

/**
 * Orders to suppliers that demand a minimum order value or full containers: the quantities of their
 * pairs are final only when all lines are known. Keeps one line a pair, so that memory stays flat.
 */
export class SupplierOrders {
  readonly #policies: PolicyBook
  readonly #lines = new Map<string, Map<number, SupplierLine>>()
  readonly #raises = new Map<number, Raise>()

  constructor(policies: PolicyBook) {
    this.#policies = policies
  }

  /** Adds the line of a pair if its supplier has such limits. @returns whether it has */
  addLine({ supplier, series }: PairInputs, input: ProposalInput, result: ProposalResult): boolean {
    if (!supplier || result.kind === 'blocked' || !this.#limitsOf(supplier)) return false
    const lines = this.#lines.get(supplier) ?? new Map<number, SupplierLine>()
    this.#lines.set(supplier, lines.set(series, supplierLine(String(series), input, result)))
    return true
  }

  /** Fills the orders. @returns the series of all their lines */
  fillOrders(): number[] {
    const series: number[] = []
    for (const [supplier, lines] of this.#lines) {
      const order = fillSupplierOrder([...lines.values()], this.#limitsOf(supplier)!)
      const waits = order.status === 'below_minimum' ? waitOf(order.message, order.waitUntil) : null
      for (const { key, raisedBy } of order.lines) {
        series.push(Number(key))
        this.#raises.set(Number(key), { raisedBy, waits })
      }
    }
    this.#lines.clear()
    return series.sort((a, b) => a - b)
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
    const exceptions = [
      ...(result.calculation.exceptions ?? []),
      { code: BELOW_MINIMUM, message: own.waits },
    ]
    return { ...result, calculation: { ...result.calculation, exceptions } }
  }

  #limitsOf(supplier: string): SupplierLimits | null {
    const rule = this.#policies.ofSupplier(supplier)
    if (!rule || (rule.minimumOrderValue === null && rule.containerUnits === null)) return null
    const { minimumOrderValue, containerUnits } = rule
    return {
      minimumValue: minimumOrderValue === null ? null : Number(minimumOrderValue),
      containerUnits,
    }
  }
}

const BELOW_MINIMUM = 'below_supplier_minimum' as never

const waitOf = (message: string, until: string | null) =>
  until ? `${message} It can wait until ${until}.` : message
