// What other service targets and lead times would mean for a pair in the long run.
import { medianDemand } from '../inventory/demand.ts'
import { demandOverLeadTime } from '../inventory/lead-time.ts'
import { smallestOrder } from '../inventory/limits.ts'
import { orderUpToLevels } from '../inventory/order-up-to.ts'
import { protectionDays } from '../inventory/protection.ts'
import {
  type CycleOutcome,
  cycleOutcome,
  type StockCycle,
} from '../inventory/replenishment-cycle.ts'
import { targetLevel } from './calculate.ts'
import { reviewPeriodOf, type Situation, situationOf } from './situation.ts'
import type { ProposalInput } from './input.ts'
import type { Days, Level } from '../types.ts'

export interface SimulatedPair {
  /** The target that its rules or costs give it, and what that leads to. */
  target: Level
  own: CycleOutcome
  /** The same for each of the levels asked for. */
  at: CycleOutcome[]
}

/**
 * Null where stock or lead time is not known, and of what is phased out, which has no long run.
 * @param changeDays added to the lead time, which is at least 0
 */
export function simulatePair(
  input: ProposalInput,
  levels: readonly Level[],
  changeDays: Days = 0,
): SimulatedPair | null {
  const { forecast, planning } = input
  const situation = situationOf(input)
  if (situation === null || forecast.until !== undefined) return null
  const lots = { moq: planning.moq || 1, lotSize: planning.lotSize || 1 }
  const target = targetLevel(input, situation, lots)
  const changed = withLeadTime(situation, changeDays)
  const days = reviewDays(input)
  const protection = protectionDays(changed.meanDays, days)
  const cycle: StockCycle = {
    untilArrival: demandOverLeadTime(forecast, changed, 0),
    untilNext: demandOverLeadTime(forecast, changed, days),
    days,
    batch: smallestOrder(lots),
    cap: capOf(input, changed.meanDays),
  }
  const asked = [target, ...levels]
  const [own, ...at] = orderUpToLevels(forecast, { ...cycle, days: protection }, asked).map(
    (units) => cycleOutcome(cycle, units),
  )
  return { target, own: own!, at }
}

const withLeadTime = ({ leadTime }: Situation, changeDays: Days) => ({
  ...leadTime,
  meanDays: Math.max(0, leadTime.meanDays + changeDays),
})

/** Of a supplier that takes orders on some weekdays the mean from one to the next. In the long run closures are no matter. */
function reviewDays(input: ProposalInput): Days {
  const { orderDays } = input.planning
  return orderDays?.length ? 7 / new Set(orderDays).size : Math.max(1, reviewPeriodOf(input))
}

/** Not more than the maximum stock, nor than what is used up before it expires. */
function capOf({ forecast, planning }: ProposalInput, leadTimeDays: Days): number {
  const { maximumStock, shelfLifeDays } = planning
  const usable =
    shelfLifeDays == null ? Infinity : medianDemand(forecast, leadTimeDays + shelfLifeDays)
  return Math.min(maximumStock ?? Infinity, usable)
}
