import type { AbcClass } from '../../../../engine/index.ts'
import type {
  CostRates,
  MeasuredLeadTime,
  ProposalInput,
  ReplenishmentPolicy,
  Weekday,
} from '../../../../engine/proposal/index.ts'
import { toNumber } from '../../../base/database/rows.ts'
import { settings } from '../../../base/settings/config.ts'
import { isOneOf } from '../to-proposal.ts'
import {
  CLASS_LEVELS,
  fromRow,
  keyOf,
  nameOf,
  type Policy,
  type PolicyKey,
  type PolicyLevel,
  type PolicyRow,
  type PriceBreakOfRule,
} from './values.ts'

interface Decided {
  leadTimeDays: RuleValue<number | null>
  leadTimeDeviationDays: RuleValue<number | null>
}

/**
 * The lead time to plan with if receipts say something about it. A rule's lead time always wins. Otherwise the setting
 * `leadTimeSource` decides between the ERP's value and the measured one, which comes with its spread.
 */
function withMeasured(
  { leadTimeDays: planned, leadTimeDeviationDays: deviation }: Decided,
  measured: MeasuredLeadTime | null,
): Decided {
  const { leadTimeSource } = settings()
  const isUsed =
    measured && leadTimeSource !== 'planned' && (planned.from === 'erp' || planned.from === null)
  if (!isUsed) return { leadTimeDays: planned, leadTimeDeviationDays: deviation }
  const keepsPlanned = leadTimeSource === 'larger' && (planned.value ?? -1) >= measured.days
  return {
    leadTimeDays: keepsPlanned ? planned : { value: measured.days, from: 'measured' },
    leadTimeDeviationDays:
      deviation.from === null ? { value: measured.deviationDays, from: 'measured' } : deviation,
  }
}

/** The ERP's planning data of a pair; null where it has none. */
interface ErpPlanning {
  leadTimeDays?: unknown
  reviewPeriodDays?: unknown
  moq?: unknown
  lotSize?: unknown
}

interface EffectivePlanning {
  planning: Omit<ProposalInput['planning'], 'supplier' | 'unitCost'>
  target: ReplenishmentPolicy['target']
  costs: CostRates
  reviewPeriodDays: number
  /** Where each value comes from, by its name: `erp`, `measured`, `configured` or the name of an ordering rule. */
  rules: Record<string, string>
}

/** The planning data of a pair after the ordering rules are applied, and where each value comes from. */
export function effectivePlanning(
  own: PairRules,
  erp: ErpPlanning,
  measure: (plannedDays: number | null) => MeasuredLeadTime | null = () => null,
  erpPriceBreaks: PriceBreakOfRule[] | null = null,
): EffectivePlanning {
  const configured = settings()
  const rules: Record<string, string> = {}
  const take = <T>(name: string, { value, from }: RuleValue<T>): T => {
    if (from) rules[name] = from
    return value
  }
  const planned = own.decide('leadTimeDays', toNumber(erp.leadTimeDays))
  const measuredLeadTime = measure(planned.value)
  const leadTime = withMeasured(
    { leadTimeDays: planned, leadTimeDeviationDays: own.decide('leadTimeDeviationDays') },
    measuredLeadTime,
  )
  const priceBreaks = take('price_breaks', own.decide('priceBreaks', erpPriceBreaks))
  const planning = {
    leadTimeDays: take('lead_time', leadTime.leadTimeDays),
    leadTimeDeviationDays: take('lead_time_deviation', leadTime.leadTimeDeviationDays),
    ...(measuredLeadTime && { plannedLeadTimeDays: planned.value, measuredLeadTime }),
    moq: take('moq', own.decide('moq', unlessZero(erp.moq))),
    lotSize: take('lot_size', own.decide('lotSize', unlessZero(erp.lotSize))),
    maximumOrder: take('maximum_order', own.decide('maximumOrder')),
    maximumStock: take('maximum_stock', own.decide('maximumStock')),
    shelfLifeDays: take('shelf_life', own.decide('shelfLifeDays')),
    ...(priceBreaks && { priceBreaks: priceBreaks.map(toEngineBreak) }),
    orderDays: take('order_days', own.decide('orderDays')) as Weekday[] | null,
  }
  const reviewPeriodDays = take(
    'review_period',
    own.decide('reviewPeriodDays', toNumber(erp.reviewPeriodDays), configured.reviewPeriodDays),
  )!
  const { stockoutCostShare, carryingCostSharePerYear } = configured
  const stockout = own.decide('stockoutCostShare', null, stockoutCostShare)
  const carrying = own.decide('carryingCostSharePerYear', null, carryingCostSharePerYear)
  const unmet = own.decide('unmetDemand', null, configured.unmetDemand)
  const costs: CostRates = {
    ...{ stockoutRate: stockout.value!, carryingRate: carrying.value! },
    unmetDemand: unmet.value!,
  }
  // The target is a quantile or follows from the costs, depending on which of the two rules is more specific.
  const isQuantile =
    own.rank('targetQuantile') < own.rank('stockoutCostShare', 'carryingCostSharePerYear')
  if (!isQuantile) {
    take('stockout_cost', stockout)
    take('carrying_cost', carrying)
    if (unmet.from !== 'configured') take('unmet_demand', unmet)
  }
  return {
    planning: { ...planning, reviewPeriodDays },
    target: isQuantile
      ? { quantile: take('target_quantile', own.decide('targetQuantile'))! }
      : costs,
    costs,
    reviewPeriodDays,
    rules,
  }
}

const toEngineBreak = ({ fromQuantity, unitCost }: PriceBreakOfRule) => ({
  from: fromQuantity,
  unitCost: Number(unitCost),
})

/** In ERPs a 0 means that there is no minimum or no lot size. */
function unlessZero(value: unknown): number | null {
  return toNumber(value) || null
}

// Ordering rules: which of them apply to a pair, and where a value comes from.

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

interface RuleValue<T> {
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

type PolicyValue = Exclude<keyof Policy, keyof PolicyKey>

/** The rules of one pair. Each value comes from the most specific rule that has it. */
class PairRules {
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

const NO_RULES = new PairRules([], [])

const originOf = (policy: Policy): Origin => `policy:${nameOf(policy)}`
