import type { Days, Units } from '../../engine/index.ts'
import { Shelf } from '../../engine/replay/index.ts'
import { type DemandSet, type Pair, REVIEW } from './sets.ts'

/** What a policy sees at a review: nothing of that day or later, but for the one that knows it all. */
export interface Moment {
  pair: Pair
  day: Days
  week: number
  leadTimeDays: Days
  lots: Lots
  unserved: Unserved
  /** Below 0 where demand waits. */
  onHand: Units
  onOrder: Units
}

export interface Policy {
  name: string
  order(moment: Moment): Units
}

export interface Outcome {
  demand: Units
  short: Units
  /** Units at the end of each day, added up. */
  unitDays: number
}

const WARM_UP_WEEKS = 4
/** Weeks that are not counted: until what was ordered first has come and been used up. */
export const warmUpWeeks = (leadTimeDays: Days) => WARM_UP_WEEKS + Math.ceil(leadTimeDays / REVIEW)

/** What becomes of demand that finds no stock. */
export type Unserved = 'waits' | 'is lost'

/** The least order, and what it is a multiple of. */
export interface Lots {
  moq: Units
  lotSize: Units
}

export interface Terms {
  leadTimeDays: Days
  unserved: Unserved
  lots: Lots
}

/**
 * Day by day: receipts, then (once a week) an order, then demand. A unit short counts once. The
 * policies see demand, not sales.
 */
export function simulate(
  { start, weeks }: DemandSet,
  pair: Pair,
  policy: Policy,
  { leadTimeDays, unserved, lots }: Terms,
): Outcome {
  const last = start + weeks * REVIEW
  const counted = start + warmUpWeeks(leadTimeDays) * REVIEW
  const outcome = { demand: 0, short: 0, unitDays: 0 }
  const shelf = new Shelf(firstStock(pair, start, leadTimeDays), unserved === 'waits')
  for (let day = start; day < last; day++) {
    shelf.receive(day)
    if ((day - start) % REVIEW === 0) {
      const week = (day - start) / REVIEW
      const { net: onHand, onOrder } = shelf
      const moment = { pair, day, week, leadTimeDays, lots, unserved, onHand, onOrder }
      shelf.order(day, policy.order(moment), leadTimeDays)
    }
    const demand = pair.demand[day]!
    const short = shelf.serve(demand)
    if (day < counted) continue
    outcome.demand += demand
    outcome.short += short
    outcome.unitDays += shelf.onHand
  }
  return outcome
}

/** The same for every policy: what the last eight weeks would use. */
export function firstStock({ demand }: Pair, start: Days, leadTimeDays: Days): Units {
  const past = demand.subarray(Math.max(0, start - 56), start)
  const rate = past.reduce((sum, units) => sum + units, 0) / past.length
  return Math.ceil(rate * (leadTimeDays + REVIEW))
}
