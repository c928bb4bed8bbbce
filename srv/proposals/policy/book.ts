import cds from '@sap/cds'
import type { PolicyLevel } from '../../policy-values.ts'
import { keyOf, nameOf, type PolicyKey } from './levels.ts'
import { fromRow, type Policy, type PolicyRow } from './rows.ts'

const { SELECT } = cds.ql

/** What of a pair decides which rules hold for it. */
export interface Ruled {
  sku: string
  location: string
  supplier: string | null
  skuGroup: string | null
}

/** Which rule a value is from: `erp`, `configured`, or the name of a rule of one's own. */
export type Origin = 'erp' | 'configured' | `policy:${string}`

export interface Decided<T> {
  value: T
  /** Null where nobody says anything. */
  from: Origin | null
}

/** These know a pair better than the ERP does; the others fill what it leaves open. */
const OVERRIDING: PolicyLevel[] = ['sku+location', 'sku', 'supplier']
const FILLING: PolicyLevel[] = ['group', 'location', 'default']

/** All rules, found by what they are for. */
export class PolicyBook {
  readonly #rules = new Map<string, Policy>()

  constructor(policies: Policy[]) {
    for (const policy of policies) this.#rules.set(placeOf(policy), policy)
  }

  /** @param pair for which alone rules are needed; all of them without it */
  static async read(pair?: Ruled): Promise<PolicyBook> {
    const query = SELECT.from('restock.Policies')
    if (pair) {
      const { sku, location, supplier, skuGroup } = pair
      const named = Object.entries({ sku, location, supplier, skuGroup })
      query.where(Object.fromEntries(named.map(([name, code]) => [name, { in: ['', code ?? ''] }])))
    }
    return new PolicyBook(((await query) as PolicyRow[]).map(fromRow))
  }

  /** The rules that hold for a pair, most specific first. */
  of(pair: Ruled): PairRules {
    if (!this.#rules.size) return NO_RULES
    return new PairRules(this.#find(OVERRIDING, pair), this.#find(FILLING, pair))
  }

  ofSupplier(supplier: string): Policy | undefined {
    return this.#rules.get(placeOf(keyOf({ level: 'supplier', supplier })))
  }

  /** Whether some supplier's order is looked at as a whole. */
  get fillsOrders(): boolean {
    return [...this.#rules.values()].some(fillsOrder)
  }

  /** Whether the order of this supplier is. */
  fillsOrder(supplier: string): boolean {
    const rule = this.ofSupplier(supplier)
    return rule !== undefined && fillsOrder(rule)
  }

  #find(levels: PolicyLevel[], pair: Ruled): Policy[] {
    const found: Policy[] = []
    for (const level of levels) {
      const rule = this.#rules.get(placeOf(keyOf({ level, ...pair })))
      if (rule) found.push(rule)
    }
    return found
  }
}

const fillsOrder = ({ minimumOrderValue, containerUnits }: Policy) =>
  minimumOrderValue !== null || containerUnits !== null

const placeOf = (key: PolicyKey) =>
  [key.level, key.skuGroup, key.supplier, key.sku, key.location].join('\u0000')

export type PolicyValue = Exclude<keyof Policy, keyof PolicyKey>

/** The rules of one pair, each value decided by the most specific one that says something about it. */
export class PairRules {
  readonly #overriding: Policy[]
  readonly #filling: Policy[]

  constructor(overriding: Policy[], filling: Policy[]) {
    this.#overriding = overriding
    this.#filling = filling
  }

  decide<N extends PolicyValue>(
    name: N,
    erp: Policy[N] = null,
    configured: Policy[N] = null,
  ): Decided<Policy[N]> {
    const over = this.#overriding.find((rule) => rule[name] !== null)
    if (over) return { value: over[name], from: originOf(over) }
    if (erp !== null) return { value: erp, from: 'erp' }
    const fill = this.#filling.find((rule) => rule[name] !== null)
    if (fill) return { value: fill[name], from: originOf(fill) }
    return { value: configured, from: configured === null ? null : 'configured' }
  }

  /** How specific the first rule is that says something about any of these; Infinity for none. */
  rank(...names: PolicyValue[]): number {
    const rules = [...this.#overriding, ...this.#filling]
    const at = rules.findIndex((rule) => names.some((name) => rule[name] !== null))
    return at < 0 ? Infinity : at
  }
}

export const NO_RULES = new PairRules([], [])

const originOf = (policy: Policy): Origin => `policy:${nameOf(policy)}`
