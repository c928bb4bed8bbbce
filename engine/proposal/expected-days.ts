import { demandOver, medianDemand } from '../inventory/demand.ts'
import { smallestOrder } from '../inventory/limits.ts'
import { expectedShortage, mixtureMean, probabilityCovered } from '../inventory/mixture.ts'
import { supplyBefore } from '../inventory/supply.ts'
import { situationOf, type Situation } from './situation.ts'
import type { Calculation } from './calculation.ts'
import type { DemandForecast } from '../inventory/demand.ts'
import type { ProposalInput } from './input.ts'
import type { Days, Units } from '../types.ts'

/** Days over which the usual demand of a day is taken: four whole weeks. */
const USUAL_DAYS: Days = 28

/** E[D] of an average day of the next four weeks. */
export const usualDemand = (forecast: DemandForecast): Units =>
  mixtureMean([{ weight: 1, demand: demandOver(forecast, USUAL_DAYS) }]) / USUAL_DAYS

/** Sums over coming days, each as it begins. */
export interface ExpectedDays {
  /** Units on hand. */
  unitDays: Units
  /** Chances that there is nothing on hand. */
  stockoutDays: number
}

/**
 * What comes of ordering now what is calculated, and at every later review up to the level again: today as it is, then by day d
 *
 *     on hand              E[(C(d) − D(d))⁺] = C(d) − E[D(d)] + E[(D(d) − C(d))⁺]
 *     nothing on hand      P(D(d) ≥ C(d))
 *
 * where C(d) is all that is there by then: stock, what is on order and this order; or, once the order of a later review r can
 * be there, and what is known now was used up to below the level by then, the level and half a lot, less the demand since r.
 *
 * Source: Silver, Pyke, Thomas, Inventory and Production Management in Supply Chains, 4th ed., ch. 6: on hand in an (R,S)
 * system follows from the position after the review whose order came last.
 * @param days 1 for today alone
 */
export function expectedDays(
  input: ProposalInput,
  calculation: Calculation,
  days: Days,
): ExpectedDays {
  const situation = situationOf(input)
  const sum = { unitDays: 0, stockoutDays: 0 }
  if (situation === null) return sum
  const onHand = Math.max(0, situation.onHand)
  sum.unitDays += onHand
  if (onHand <= 0) sum.stockoutDays++
  for (let day = 1; day < days; day++) {
    const { supply, over } = suppliedBy(day, input, calculation, situation)
    const demand = [{ weight: 1, demand: demandOver(input.forecast, over) }]
    sum.unitDays += Math.max(0, supply - mixtureMean(demand) + expectedShortage(demand, supply))
    sum.stockoutDays += 1 - probabilityCovered(demand, supply - 1)
  }
  return sum
}

/** What is there by a day, and the days of demand that it has met since. */
function suppliedBy(
  day: Days,
  { forecast }: ProposalInput,
  calculation: Calculation,
  { supply, openProposals, arrivalDay, orderCalendar, arrivalOf }: Situation,
): { supply: Units; over: Days } {
  const ordered = openProposals + calculation.quantity
  const known = supplyBefore(supply, day + 1) + (day >= arrivalDay ? ordered : 0)
  const { first, next } = orderCalendar
  let review = next
  if (forecast.until !== undefined || arrivalOf(review) > day) return { supply: known, over: day }
  while (arrivalOf(review + next - first) <= day) review += next - first
  const { targetStock, leadTimeSafety = 0, beyondHorizon = 0 } = calculation
  const level = targetStock + leadTimeSafety + beyondHorizon + (smallestOrder(calculation) - 1) / 2
  const used = medianDemand(forecast, review)
  const position = supplyBefore(supply, Infinity) + ordered
  if (position - used >= level) return { supply: known, over: day }
  // The days after the review may be busier or calmer than as many from today on.
  const busier = medianDemand(forecast, day) - used - medianDemand(forecast, day - review)
  return { supply: level - busier, over: day - review }
}
