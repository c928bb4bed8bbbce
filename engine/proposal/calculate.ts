import { beyondHorizon } from '../inventory/beyond-horizon.ts'
import { forecastDays } from '../inventory/protection.ts'
import { leadTimeSafety } from '../inventory/lead-time.ts'
import { orderUpToLevel } from '../inventory/order-up-to.ts'
import { clampTarget, targetQuantile } from '../inventory/target-quantile.ts'
import { capsOf } from './caps.ts'
import { driversOf } from './drivers.ts'
import { exceptionsOf } from './exceptions.ts'
import { netOf, quantityOf } from './sum.ts'
import type { Calculation, ProposalInput, ReplenishmentPolicy } from './types.ts'
import type { Situation } from './situation.ts'
import type { Days, Level } from '../types.ts'

/** The sum from demand to quantity, with every number that went into it. */
export function calculate(input: ProposalInput, situation: Situation): Calculation {
  const { forecast, planning, policy } = input
  const { protection, leadTime, orderCalendar } = situation
  const horizonDays = forecastDays(protection)
  const { p10, p50, p90 } = forecast.at(horizonDays)
  const level = targetLevel(policy, protection)
  const targetStock = orderUpToLevel(forecast, horizonDays, level)
  const beyond = beyondHorizon({ p50 }, targetStock, protection)
  const target = { level, targetStock: targetStock + beyond }
  const safety = leadTimeSafety(forecast, leadTime, orderCalendar.next, target)
  const caps = capsOf(input, situation)
  const terms = {
    targetStock,
    onHand: situation.onHand,
    onOrder: situation.onOrder,
    openProposals: situation.openProposals,
    moq: planning.moq || 1,
    lotSize: planning.lotSize || 1,
    ...where({ backorders: situation.backorders }),
    ...where({ leadTimeSafety: safety }),
    ...where({ beyondHorizon: beyond }),
    ...(caps.length > 0 && { limit: Math.min(...caps.map(({ limit }) => limit)) }),
  }
  const calculation: Calculation = {
    horizonDays,
    leadTimeDays: leadTime.meanDays,
    reviewPeriodDays: orderCalendar.next,
    p10,
    p50,
    p90,
    targetQuantile: level,
    ...terms,
    netRequirement: netOf(terms),
    quantity: quantityOf(terms),
    drivers: [],
    ...where({ onOrderLater: situation.onOrderLater }),
    ...where({ leadTimeDeviationDays: leadTime.deviationDays }),
    ...(planning.maximumOrder != null && { maximumOrder: planning.maximumOrder }),
    ...(planning.maximumStock != null && { maximumStock: planning.maximumStock }),
    ...(planning.shelfLifeDays != null && { shelfLifeDays: planning.shelfLifeDays }),
    ...(input.rules && { rules: input.rules }),
  }
  const exceptions = exceptionsOf(calculation, planning.unitCost)
  const drivers = driversOf(forecast, calculation, caps)
  return { ...calculation, drivers, ...(exceptions.length > 0 && { exceptions }) }
}

/** A term that is 0 is not shown. */
function where<T extends Record<string, number>>(term: T): Partial<T> {
  return Object.values(term).some((value) => value !== 0) ? term : {}
}

function targetLevel({ target }: ReplenishmentPolicy, protectionDays: Days): Level {
  return 'quantile' in target
    ? clampTarget(target.quantile)
    : targetQuantile(target, protectionDays)
}
