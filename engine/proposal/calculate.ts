import { demandOverLeadTime } from '../inventory/lead-time.ts'
import { forecastDays, protectionDays } from '../inventory/protection.ts'
import { smallestOrder } from '../inventory/limits.ts'
import { clampTarget, targetByCosts, targetThroughClosure } from '../inventory/service-target.ts'
import { capsOf } from './caps.ts'
import { driversOf } from './drivers.ts'
import { exceptionsOf } from './exceptions.ts'
import { pricesOf, unitCostIn } from './price-break.ts'
import { requirementOf } from './requirement.ts'
import { overrideOf } from './override-term.ts'
import { netOf, quantityOf } from './sum.ts'
import type { LotRule } from '../inventory/lots.ts'
import type { Calculation } from './calculation.ts'
import type { ProposalInput } from './input.ts'
import type { Situation } from './situation.ts'
import type { Days, Level } from '../types.ts'

/** The sum from demand to quantity, with every number that went into it. */
export function calculate(input: ProposalInput, situation: Situation): Calculation {
  const { forecast, planning } = input
  const { protection, leadTime, orderCalendar } = situation
  const horizonDays = forecastDays(protection)
  const { p10, p50, p90 } = forecast.at(horizonDays)
  const lots = { moq: planning.moq || 1, lotSize: planning.lotSize || 1 }
  const level = targetLevel(input, situation, lots)
  const { target } = input.policy
  const isLost = 'unmetDemand' in target && target.unmetDemand === 'lost'
  const requirement = requirementOf(forecast, situation, level, isLost)
  const caps = capsOf(input, { ...situation, ...requirement })
  const terms = {
    targetStock: requirement.targetStock,
    onHand: situation.onHand,
    onOrder: requirement.onOrder,
    openProposals: situation.openProposals,
    ...lots,
    ...where({ backorders: situation.backorders }),
    ...where({ reserved: requirement.reserved }),
    ...where({ drafts: requirement.drafts }),
    ...where({ expiring: situation.expiring }),
    ...where({ inInspection: situation.inInspection }),
    ...where({ leadTimeSafety: requirement.leadTimeSafety }),
    ...where({ beyondHorizon: requirement.beyondHorizon }),
    ...where({ coveredLater: requirement.coveredLater }),
    ...where({ lostBeforeArrival: requirement.lostBeforeArrival }),
    ...(caps.length > 0 && { limit: Math.min(...caps.map(({ limit }) => limit)) }),
  }
  const calculation: Calculation = {
    horizonDays,
    leadTimeDays: leadTime.meanDays,
    reviewPeriodDays: orderCalendar.next,
    ...where({ closedDays: closedDaysOf(situation) }),
    ...where({ reviewClosedDays: situation.reviewClosedDays }),
    p10,
    p50,
    p90,
    ...overrideOf(forecast, horizonDays),
    targetQuantile: level,
    ...terms,
    netRequirement: netOf(terms),
    quantity: quantityOf(terms),
    drivers: [],
    ...where({ onOrderLater: requirement.onOrderLater }),
    ...where({ leadTimeDeviationDays: leadTime.deviationDays }),
    ...(planning.plannedLeadTimeDays != null && {
      leadTimePlannedDays: planning.plannedLeadTimeDays,
    }),
    ...(planning.measuredLeadTime && { leadTimeMeasured: planning.measuredLeadTime }),
    ...(planning.maximumOrder != null && { maximumOrder: planning.maximumOrder }),
    ...(planning.maximumStock != null && { maximumStock: planning.maximumStock }),
    ...(planning.shelfLifeDays != null && { shelfLifeDays: planning.shelfLifeDays }),
    ...(planning.phaseOutOn && isCut(input, protection) && { phaseOutOn: planning.phaseOutOn }),
    ...(input.staleSince && { staleSince: input.staleSince }),
    ...(planning.priceBreaks?.length && { prices: allPrices(planning) }),
    ...(input.rules && { rules: input.rules }),
  }
  const exceptions = exceptionsOf(calculation, unitCostIn(planning, calculation.quantity))
  const drivers = driversOf(forecast, calculation, caps)
  return { ...calculation, drivers, ...(exceptions.length > 0 && { exceptions }) }
}

/** Days that closures add to lead time and review period. */
const closedDaysOf = ({ protection, leadTime, orderCalendar }: Situation) =>
  protection - protectionDays(leadTime.meanDays, orderCalendar.next)

/** With the price below the first break, where one is known. */
function allPrices(planning: ProposalInput['planning']) {
  const { unitCost, breaks } = pricesOf(planning)
  return unitCost === null ? breaks : [{ from: 0, unitCost }, ...breaks]
}

/** Whether demand ends before the days that the order must last. */
const isCut = ({ forecast: { until = Infinity } }: ProposalInput, protection: Days) =>
  until < protection

/** A term that is 0 is not shown. */
function where<T extends Record<string, number>>(term: T): Partial<T> {
  for (const name in term) if (term[name] !== 0) return term
  return NOTHING
}

const NOTHING = {}

/** A closure of that many days has a target of its own; rest days and public holidays do not change it. */
const LONG_CLOSURE: Days = 7

/**
 * The quantile of demand up to which a pair is ordered: as a rule says, or by its costs of the usual cycle; through a long closure
 * by those of the cycle that it makes, where demand waits. What is left of a last order before a phase-out is wanted by nobody.
 */
export function targetLevel(
  input: ProposalInput,
  { leadTime, orderCalendar, arrivalDay, protection, closure }: Situation,
  lots: LotRule,
): Level {
  const { forecast, planning, policy } = input
  const { target } = policy
  if ('quantile' in target) return clampTarget(target.quantile)
  const isLast = isCut(input, protection)
  const { first, next } = orderCalendar
  const cycleOf = (from: Days, until: Days) => ({
    untilArrival: demandOverLeadTime(forecast, leadTime, from),
    untilNext: demandOverLeadTime(forecast, leadTime, until),
    days: until - from,
    protectionDays: protectionDays(leadTime.meanDays, until),
    batch: smallestOrder(lots),
  })
  const { shelfLifeDays } = planning
  const life = isLast ? Math.min(next - first, shelfLifeDays ?? Infinity) : shelfLifeDays
  if (closure >= LONG_CLOSURE && target.unmetDemand !== 'lost' && !life) {
    const { meanDays } = leadTime
    return targetThroughClosure(target, cycleOf(arrivalDay - meanDays, protection - meanDays))
  }
  return targetByCosts(target, {
    ...cycleOf(first, next),
    ...(life && {
      expiry: {
        untilExpiry: demandOverLeadTime(forecast, leadTime, first + life),
        days: life,
      },
    }),
  })
}
