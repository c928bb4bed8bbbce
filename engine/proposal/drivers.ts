import { orderQuantity } from '../inventory/limits.ts'
import { demandQuantile, type DemandForecast } from '../inventory/demand.ts'
import { quantityOf, type Terms } from './sum.ts'
import type { Cap } from './caps.ts'
import type { Calculation, ProposalDriver } from './calculation.ts'
import type { Units } from '../types.ts'

/**
 * The drivers of a quantity, each proved by doing the sum again without it: a driver is named only
 * where the quantity then is another one. A minimum is tried without lots too, which come after it and may
 * ask for as much.
 */
export function driversOf(
  demand: DemandForecast,
  calculation: Calculation,
  caps: readonly Cap[],
): ProposalDriver[] {
  if (calculation.quantity === 0) return []
  const own: Readonly<Record<string, unknown>> = { ...calculation }
  const quantity = (without: Partial<Terms>) => quantityOf({ ...calculation, ...without })
  const isHidden = (terms: Partial<Terms>) =>
    quantity({ ...NO_LOTS, ...terms }) !== quantity(NO_LOTS)
  const moved = counterfactuals(demand, calculation)
    .filter(([, terms]) => Object.entries(terms).some(([name, term]) => term !== (own[name] ?? 0)))
    .filter(
      ([driver, terms]) =>
        quantity(terms) !== calculation.quantity || (driver === 'moq_applied' && isHidden(terms)),
    )
    .map(([driver]) => driver)
  return [...moved, ...cutting(calculation, caps).map(({ driver }) => driver)]
}

const NO_LOTS = { lotSize: 1 }

function counterfactuals(
  demand: DemandForecast,
  calculation: Calculation,
): [ProposalDriver, Partial<Terms>][] {
  const { horizonDays, reviewPeriodDays, targetQuantile, p50, onHand } = calculation
  const review = Math.min(horizonDays, reviewPeriodDays)
  const level = demandQuantile(demand, review, targetQuantile)
  const { statistical } = demand
  const none = { leadTimeSafety: 0, beyondHorizon: 0, coveredLater: 0, lostBeforeArrival: 0 }
  return [
    ['low_stock', { onHand: Math.max(onHand, p50) }],
    ['lead_time_demand', { targetStock: level, ...none }],
    ['safety_stock', { targetStock: p50, leadTimeSafety: 0 }],
    ...(statistical ? [forecastOf(demandQuantile(statistical, horizonDays, targetQuantile))] : []),
    ['lead_time_uncertainty', { leadTimeSafety: 0 }],
    ['beyond_horizon', { beyondHorizon: 0 }],
    ['backorders', { backorders: 0 }],
    ['reserved', { reserved: 0 }],
    ['expiring_stock', { expiring: 0 }],
    ['in_inspection', { inInspection: 0 }],
    ['open_orders', { onOrder: 0 }],
    ['open_proposals', { openProposals: 0 }],
    ['drafts', { drafts: 0 }],
    ['moq_applied', { moq: 1 }],
    ['pack_rounding', NO_LOTS],
  ]
}

const forecastOf = (targetStock: Units): [ProposalDriver, Partial<Terms>] => [
  'forecast_override',
  { targetStock },
]

/** The limits that made the quantity smaller: the tightest, if it was below what the sum asked for. */
export function cutting(calculation: Calculation, caps: readonly Cap[]): Cap[] {
  const wanted = orderQuantity(calculation.netRequirement, calculation)
  return caps.filter(({ limit }) => limit === calculation.limit && limit < wanted)
}
