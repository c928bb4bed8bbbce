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

/** What the order of a whole supplier adds to one of its lines. */
interface Raise {
  raisedBy: number
  /** Why the order cannot go out as it is; null where it can. */
  waits: string | null
}

/**
 * Suppliers whose orders must reach a minimum or fill containers: their pairs are settled only when
 * all lines are known. Of each pair a line is kept and nothing more, so that memory stays flat.
 */
export class SupplierOrders {
  readonly #policies: PolicyBook
  readonly #lines = new Map<string, Map<number, SupplierLine>>()
  readonly #raises = new Map<number, Raise>()

  constructor(policies: PolicyBook) {
    this.#policies = policies
  }

  /** Takes the line of a pair whose supplier has such limits. @returns whether it has */
  take({ supplier, series }: PairInputs, input: ProposalInput, result: ProposalResult): boolean {
    if (!supplier || result.kind === 'blocked' || !this.#limitsOf(supplier)) return false
    const lines = this.#lines.get(supplier) ?? new Map<number, SupplierLine>()
    this.#lines.set(supplier, lines.set(series, supplierLine(String(series), input, result)))
    return true
  }

  /** Fills the orders. @returns the series of all their lines */
  fill(): number[] {
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
  raise(pair: PairInputs, input: ProposalInput, result: ProposalResult): ProposalResult {
    const raise = this.#raises.get(pair.series)
    if (!raise || result.kind === 'blocked') return result
    if (raise.raisedBy > 0) {
      const raised = raiseForSupplier(input, result, raise.raisedBy)
      if (raised.kind !== 'order') return raised
      const rules = {
        ...raised.calculation.rules,
        supplier_minimum: `policy:supplier ${pair.supplier}`,
      }
      return { ...raised, calculation: { ...raised.calculation, rules } }
    }
    if (result.kind !== 'order' || raise.waits === null) return result
    const exceptions = [
      ...(result.calculation.exceptions ?? []),
      { code: BELOW_MINIMUM, message: raise.waits },
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
