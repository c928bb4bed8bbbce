import { isOneOf } from '../to-proposal.ts'
import type { AbcClass } from '../../../../engine/index.ts'
import {
  CLASS_LEVELS,
  fromRow,
  keyOf,
  nameOf,
  type Policy,
  type PolicyKey,
  type PolicyLevel,
  type PolicyRow,
} from './values.ts'

/** The properties of a pair that decide which rules apply to it. */
export interface PolicySubject {
  sku: string
  location: string
  supplier: string | null
  skuGroup: string | null
  /** Absent where nothing is asked that rules of classes say: see CLASS_VALUES. */
  abcClass?: AbcClass | null
}

/** Where a value comes from: `erp`, `measured`, `configured`, or the name of an ordering rule. */
export type Origin = 'erp' | 'measured' | 'configured' | `policy:${string}`

export interface RuleValue<T> {
  value: T
  /** Null where no rule, the ERP or the configuration gives a value. */
  from: Origin | null
}

/** Rules of these levels override the ERP's values; the others fill in values that the ERP lacks. */
const OVERRIDING: PolicyLevel[] = ['sku+location', 'sku', 'supplier+location', 'supplier']
const filling = (abcClass?: AbcClass | null): PolicyLevel[] => [
  'group',
  ...(abcClass ? [CLASS_LEVELS[abcClass]] : []),
  'location',
  'default',
]

/** All ordering rules, by their key. */
export class PolicyBook {
  readonly #rules = new Map<string, Policy>()

  constructor(policies: Policy[]) {
    for (const policy of policies) this.#rules.set(placeOf(policy), policy)
  }

  /** @param pairs limits the result to the rules that may apply to these pairs */
  static async read(pairs?: readonly PolicySubject[]): Promise<PolicyBook> {
    const query = SELECT.from('restock.Policies')
    if (pairs) {
      const named = (['sku', 'location', 'supplier', 'skuGroup'] as const).map((name) => [
        name,
        isOneOf(pairs, (pair) => pair[name] ?? '', ''),
      ])
      query.where(Object.fromEntries(named) as Record<string, { in: string[] }>)
    }
    return new PolicyBook(((await query) as PolicyRow[]).map(fromRow))
  }

  /** The rules that name one of these suppliers. */
  static async ofSuppliers(suppliers: string[]): Promise<PolicyBook> {
    const query = SELECT.from('restock.Policies').where({ supplier: { in: suppliers } })
    return new PolicyBook(((await query) as PolicyRow[]).map(fromRow))
  }

  /** The rules that name no SKU and no group: those of whole orders. */
  static async ofOrders(): Promise<PolicyBook> {
    const query = SELECT.from('restock.Policies').where({ sku: '', skuGroup: '' })
    return new PolicyBook(((await query) as PolicyRow[]).map(fromRow))
  }

  /** The rules that apply to a pair, most specific first. */
  of(pair: PolicySubject): PairRules {
    if (!this.#rules.size) return NO_RULES
    return new PairRules(this.#find(OVERRIDING, pair), this.#find(filling(pair.abcClass), pair))
  }

  /** The rules that name a supplier. */
  ofSuppliers(): Policy[] {
    return [...this.#rules.values()].filter(({ supplier }) => supplier !== '')
  }

  #find(levels: PolicyLevel[], pair: PolicySubject): Policy[] {
    const found: Policy[] = []
    for (const level of levels) {
      const rule = this.#rules.get(placeOf(keyOf({ level, ...pair })))
      if (rule) found.push(rule)
    }
    return found
  }
}

const placeOf = (key: PolicyKey) =>
  [key.level, key.skuGroup, key.supplier, key.sku, key.location].join('\u0000')

export type PolicyValue = Exclude<keyof Policy, keyof PolicyKey>

/** The rules of one pair. Each value comes from the most specific rule that has it. */
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
  ): RuleValue<Policy[N]> {
    const over = this.#overriding.find((rule) => rule[name] !== null)
    if (over) return { value: over[name], from: originOf(over) }
    if (erp !== null) return { value: erp, from: 'erp' }
    const fill = this.#filling.find((rule) => rule[name] !== null)
    if (fill) return { value: fill[name], from: originOf(fill) }
    return { value: configured, from: configured === null ? null : 'configured' }
  }

  /** The position of the first, most specific rule with any of these values; Infinity for none. */
  rank(...names: PolicyValue[]): number {
    const rules = [...this.#overriding, ...this.#filling]
    const at = rules.findIndex((rule) => names.some((name) => rule[name] !== null))
    return at < 0 ? Infinity : at
  }
}

export const NO_RULES = new PairRules([], [])

const originOf = (policy: Policy): Origin => `policy:${nameOf(policy)}`
