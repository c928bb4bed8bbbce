import { demandOver, shownQuantile } from '../inventory/demand.ts'
import { demandOverLeadTime } from '../inventory/lead-time.ts'
import { type DemandMixture, probabilityCovered } from '../inventory/mixture.ts'
import { stockoutDay, supplyBefore, withArrival } from '../inventory/supply.ts'
import { withoutNoise } from '../inventory/position.ts'
import { addDays } from './dates.ts'
import { unitCostIn } from './price-break.ts'
import { type Situation, situationOf } from './situation.ts'
import type { ProposalInput } from './input.ts'
import type { Days, Units } from '../types.ts'

/** What a quantity means for a pair. */
export interface Risk {
  quantity: Units
  /** 0..1, before the order of the next review could arrive. Never grows with the quantity. */
  stockoutProbability: number
  /** The same before this order is there, whatever its quantity, and from its arrival on. */
  stockoutBeforeArrival: number
  stockoutAfterArrival: number
  /** `YYYY-MM-DD` on which the median demand has used up the supply; null: not within a year. */
  stockoutDay: string | null
  /** How long all supply lasts at the median and at the P90 of demand; at most 365. */
  daysOfSupplyP50: Days
  daysOfSupplyP90: Days
  /** quantity · unit cost, to two decimals; null without a cost. */
  value: number | null
}

/** Nothing is looked at beyond a year. */
const LONGEST: Days = 365

/** What ordering a quantity now means; null where the pair's stock or lead time is not known. */
export function riskOf(input: ProposalInput, quantity: Units): Risk | null {
  return riskCurve(input, [quantity])[0] ?? null
}

/** The same for several quantities; empty where the pair's stock or lead time is not known. */
export function riskCurve(input: ProposalInput, quantities: readonly Units[]): Risk[] {
  const situation = situationOf(input)
  if (situation === null) return []
  const moments = momentsOf(input, situation)
  return quantities.map((quantity) => risk(input, situation, moments, quantity))
}

/** A moment before which supply may run out: the next receipt comes with it. */
interface Moment {
  demand: DemandMixture
  supply: Units
  /** Whether an order placed now is there by then. */
  ordered: boolean
}

/**
 * The moments until the order of the next review arrives: each receipt, this order's arrival, and
 * that end. Supply is at its least before each of them.
 */
function momentsOf({ forecast }: ProposalInput, situation: Situation): Moment[] {
  const { supply, leadTime, protection, arrivalDay } = situation
  const end = Math.max(protection, arrivalDay + 1)
  const moments = [
    {
      demand: demandOverLeadTime(forecast, leadTime, protection - leadTime.meanDays),
      supply: supplyBefore(supply, end),
      ordered: true,
    },
  ]
  if (arrivalDay > 0) {
    moments.push({
      demand: demandOverLeadTime(forecast, leadTime, arrivalDay - leadTime.meanDays),
      supply: supplyBefore(supply, arrivalDay),
      ordered: false,
    })
  }
  for (const day of new Set(supply.arrivals.map((arrival) => arrival.day))) {
    if (day >= end) continue
    moments.push({
      demand: [{ weight: 1, demand: demandOver(forecast, day) }],
      supply: supplyBefore(supply, day),
      ordered: day > arrivalDay,
    })
  }
  return moments
}

function risk(
  { asOf, forecast, planning }: ProposalInput,
  { supply, openProposals, arrivalDay }: Situation,
  moments: readonly Moment[],
  quantity: Units,
): Risk {
  const added = quantity + openProposals
  const chanceAt = ({ demand, supply, ordered }: Moment) =>
    1 - probabilityCovered(demand, supply + (ordered ? added : 0))
  const greatest = (of: readonly Moment[]) =>
    Math.round(Math.max(0, ...of.map(chanceAt)) * 1e4) / 1e4
  const before = greatest(moments.filter(({ ordered }) => !ordered))
  const after = greatest(moments.filter(({ ordered }) => ordered))
  const out = stockoutDay(
    forecast,
    withArrival(supply, { day: arrivalDay, quantity: added }),
    LONGEST,
  )
  const all = withoutNoise(supplyBefore(supply, Infinity) + added)
  const unitCost = unitCostIn(planning, quantity)
  const isEmpty = all <= 0 && demandOver(forecast, LONGEST).p90 > 0
  const lasts = (level: 'p50' | 'p90') =>
    isEmpty ? 0 : lastDay((days) => shownQuantile(demandOver(forecast, days), level) <= all)
  return {
    quantity,
    stockoutProbability: Math.max(before, after),
    stockoutBeforeArrival: before,
    stockoutAfterArrival: after,
    stockoutDay: out === null ? null : addDays(asOf, out),
    daysOfSupplyP50: lasts('p50'),
    daysOfSupplyP90: lasts('p90'),
    value: unitCost == null ? null : Math.round(quantity * unitCost * 100) / 100,
  }
}

/** The most days, up to a year, for which something holds that holds for fewer too. */
function lastDay(holds: (days: Days) => boolean): Days {
  let [low, high] = [0, LONGEST + 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (holds(middle)) low = middle
    else high = middle
  }
  return low
}
