import { medianDemand } from './demand.ts'
import { withoutNoise } from './position.ts'
import type { DemandForecast } from './demand.ts'
import type { Days, Units } from '../types.ts'

export interface Arrival {
  /** Days from today; usable on that day. */
  day: Days
  /** Below 0 for what leaves on that day. */
  quantity: Units
}

/** What is there, and what comes when. */
export interface Supply {
  /** Usable today and promised to nobody. */
  now: Units
  /** After today, days ascending. */
  arrivals: readonly Arrival[]
}

/** Adds an arrival; one of today or earlier is there. */
export function withArrival({ now, arrivals }: Supply, { day, quantity }: Arrival): Supply {
  if (day <= 0) return { now: withoutNoise(now + quantity), arrivals }
  return { now, arrivals: [...arrivals, { day, quantity }].sort((a, b) => a.day - b.day) }
}

/** All that is there before that day. */
export function supplyBefore({ now, arrivals }: Supply, day: Days): Units {
  return withoutNoise(
    arrivals.reduce((sum, arrival) => (arrival.day < day ? sum + arrival.quantity : sum), now),
  )
}

/**
 * The first day, counted from today, on which the median demand so far exceeds the supply so far:
 * the least d < limit with F⁻¹(0.5; d + 1) > supply up to d. Null where there is none.
 */
export function stockoutDay(demand: DemandForecast, supply: Supply, limit: Days): Days | null {
  let from = 0
  let stock = supply.now
  for (const { day, quantity } of [...supply.arrivals, { day: limit, quantity: 0 }]) {
    const until = Math.min(day, limit)
    if (until > from && medianDemand(demand, until) > stock) {
      return firstDay(from, until - 1, (d) => medianDemand(demand, d + 1) > stock)
    }
    stock = withoutNoise(stock + quantity)
    from = Math.max(from, until)
  }
  return null
}

/** The least day of from..until for which it holds; it does for the last one, and for all after the first that it does for. */
export function firstDay(from: Days, until: Days, holds: (day: Days) => boolean): Days {
  let [low, high] = [from, until]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
