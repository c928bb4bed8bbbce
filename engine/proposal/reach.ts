import { MAX_HORIZON_DAYS } from '../horizon.ts'
import { medianDemand } from '../inventory/demand.ts'
import { inventoryPosition } from '../inventory/position.ts'
import { firstDay, withArrival } from '../inventory/supply.ts'
import { addDays } from './dates.ts'
import { situationOf } from './situation.ts'
import { wholeTarget } from './sum.ts'
import { latestOrderDay } from './urgency.ts'
import type { Calculation } from './calculation.ts'
import type { ProposalInput } from './input.ts'
import type { Units } from '../types.ts'

/** How long what is there, ordered and approved lasts. */
export interface Reach {
  /** `YYYY-MM-DD` until which it meets the service target; null: for longer than is forecast. */
  until: string | null
  /** What there is, and what must be covered: nothing is missing while the first is no less. */
  position: Units
  target: Units
  /** The day on which an order is due by the median demand; null: later than is forecast, or something is missing already. */
  orderAbout: string | null
}

/** Null where stock or lead time is not known. */
export function reachOf(input: ProposalInput, calculation: Calculation): Reach | null {
  const situation = situationOf(input)
  if (situation === null) return null
  const { asOf, forecast } = input
  const { leadTime, protection, arrivalDay, openProposals } = situation
  const approved = { day: arrivalDay, quantity: openProposals }
  const supply = openProposals ? withArrival(situation.supply, approved) : situation.supply
  const latest = latestOrderDay(forecast, { ...situation, supply }, calculation.targetQuantile)
  const lastDay = latest + leadTime.meanDays
  const isLonger = lastDay >= Math.max(MAX_HORIZON_DAYS, protection) - 1
  const [position, target] = [inventoryPosition(calculation), wholeTarget(calculation)]
  const isUsedUp = (days: number) =>
    Math.round(medianDemand(forecast, days)) >= unitsUntilOrder({ position, target })
  return {
    until: isLonger ? null : addDays(asOf, Math.max(0, Math.floor(lastDay))),
    ...{ position, target },
    orderAbout:
      position >= target && isUsedUp(MAX_HORIZON_DAYS)
        ? addDays(asOf, firstDay(1, MAX_HORIZON_DAYS, isUsedUp))
        : null,
  }
}

/** What must leave before an order is due. */
export const unitsUntilOrder = ({ position, target }: Pick<Reach, 'position' | 'target'>): Units =>
  Math.floor(position - target) + 1
