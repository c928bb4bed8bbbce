import type { ProposalInput, ReplenishmentPolicy, Weekday } from '../../../engine/proposal/index.ts'
import { settings } from '../../config.ts'
import { toNumber } from '../../store/numbers.ts'
import type { Decided, PairRules } from './book.ts'

/** What the ERP says about a pair; null where it does not. */
interface ErpPlanning {
  leadTimeDays?: unknown
  reviewPeriodDays?: unknown
  moq?: unknown
  lotSize?: unknown
}

export interface RuledPlanning {
  planning: Omit<ProposalInput['planning'], 'supplier' | 'unitCost'>
  target: ReplenishmentPolicy['target']
  reviewPeriodDays: number
  /** By the value's name: `erp`, `configured` or the rule of one's own that decided. */
  rules: Record<string, string>
}

/** The planning data of a pair after our own rules, and which of them decided. */
export function ruledPlanning(own: PairRules, erp: ErpPlanning): RuledPlanning {
  const configured = settings()
  const rules: Record<string, string> = {}
  const take = <T>(name: string, { value, from }: Decided<T>): T => {
    if (from) rules[name] = from
    return value
  }
  const planning = {
    leadTimeDays: take('lead_time', own.decide('leadTimeDays', toNumber(erp.leadTimeDays))),
    leadTimeDeviationDays: take('lead_time_deviation', own.decide('leadTimeDeviationDays')),
    moq: take('moq', own.decide('moq', unlessZero(erp.moq))),
    lotSize: take('lot_size', own.decide('lotSize', unlessZero(erp.lotSize))),
    maximumOrder: take('maximum_order', own.decide('maximumOrder')),
    maximumStock: take('maximum_stock', own.decide('maximumStock')),
    shelfLifeDays: take('shelf_life', own.decide('shelfLifeDays')),
    orderDays: take('order_days', own.decide('orderDays')) as Weekday[] | null,
  }
  const reviewPeriodDays = take(
    'review_period',
    own.decide('reviewPeriodDays', toNumber(erp.reviewPeriodDays), configured.reviewPeriodDays),
  )!
  return {
    planning: { ...planning, reviewPeriodDays },
    target: targetOf(own, take),
    reviewPeriodDays,
    rules,
  }
}

/** Of a target quantile and the costs the more specific one counts. */
function targetOf(
  own: PairRules,
  take: <T>(name: string, decided: Decided<T>) => T,
): RuledPlanning['target'] {
  const { stockoutCostShare, carryingCostSharePerYear } = settings()
  const ofCosts = own.rank('stockoutCostShare', 'carryingCostSharePerYear')
  if (own.rank('targetQuantile') < ofCosts) {
    return { quantile: take('target_quantile', own.decide('targetQuantile'))! }
  }
  return {
    stockoutRate: take('stockout_cost', own.decide('stockoutCostShare', null, stockoutCostShare))!,
    carryingRate: take(
      'carrying_cost',
      own.decide('carryingCostSharePerYear', null, carryingCostSharePerYear),
    )!,
  }
}

/** ERPs keep 0 where there is no minimum and no lot: that says nothing. */
function unlessZero(value: unknown): number | null {
  return toNumber(value) || null
}
