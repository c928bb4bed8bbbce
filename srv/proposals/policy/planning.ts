import type {
  CostRates,
  MeasuredLeadTime,
  ProposalInput,
  ReplenishmentPolicy,
  Weekday,
} from '../../../engine/proposal/index.ts'
import { settings } from '../../config.ts'
import { toNumber } from '../../store/numbers.ts'
import type { RuleValue, PairRules } from './book.ts'
import { withMeasured } from './lead-time.ts'

/** The ERP's planning data of a pair; null where it has none. */
interface ErpPlanning {
  leadTimeDays?: unknown
  reviewPeriodDays?: unknown
  moq?: unknown
  lotSize?: unknown
}

export interface EffectivePlanning {
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
  const planning = {
    leadTimeDays: take('lead_time', leadTime.leadTimeDays),
    leadTimeDeviationDays: take('lead_time_deviation', leadTime.leadTimeDeviationDays),
    ...(measuredLeadTime && { plannedLeadTimeDays: planned.value, measuredLeadTime }),
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
  const costs = costsOf(own)
  return {
    planning: { ...planning, reviewPeriodDays },
    target: targetOf(own, costs, take),
    costs,
    reviewPeriodDays,
    rules,
  }
}

function costsOf(own: PairRules): CostRates {
  const { stockoutCostShare, carryingCostSharePerYear, unmetDemand } = settings()
  return {
    stockoutRate: own.decide('stockoutCostShare', null, stockoutCostShare).value!,
    carryingRate: own.decide('carryingCostSharePerYear', null, carryingCostSharePerYear).value!,
    unmetDemand,
  }
}

/** The target is a quantile or follows from the costs, whichever rule is more specific. */
function targetOf(
  own: PairRules,
  costs: CostRates,
  take: <T>(name: string, decided: RuleValue<T>) => T,
): EffectivePlanning['target'] {
  const { stockoutCostShare, carryingCostSharePerYear } = settings()
  const ofCosts = own.rank('stockoutCostShare', 'carryingCostSharePerYear')
  if (own.rank('targetQuantile') < ofCosts) {
    return { quantile: take('target_quantile', own.decide('targetQuantile'))! }
  }
  take('stockout_cost', own.decide('stockoutCostShare', null, stockoutCostShare))
  take('carrying_cost', own.decide('carryingCostSharePerYear', null, carryingCostSharePerYear))
  return costs
}

/** In ERPs a 0 means that there is no minimum or no lot size. */
function unlessZero(value: unknown): number | null {
  return toNumber(value) || null
}
