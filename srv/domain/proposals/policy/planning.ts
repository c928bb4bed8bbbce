import type {
  CostRates,
  MeasuredLeadTime,
  ProposalInput,
  ReplenishmentPolicy,
  Weekday,
} from '../../../../engine/proposal/index.ts'
import { toNumber } from '../../../base/database/rows.ts'
import { settings } from '../../../base/settings/config.ts'
import type { PairRules, RuleValue } from './book.ts'
import type { PriceBreakOfRule } from './values.ts'

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
