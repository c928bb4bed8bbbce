import { type DemandForecast, demandOver } from './demand.ts'
import { expectedShortage } from '../forecast/distribution.ts'
import { withoutNoise } from './position.ts'
import type { Days, Units } from '../types.ts'

/** Stock that expires on one day. */
export interface Batch {
  /** Days from today on which it can still be sold; 0: none any more, 1: today alone. */
  days: Days
  quantity: Units
}

/**
 * What of each batch expires unsold, in the mean, where what expires first is sold first. Q_i: all units that expire by day d_i,
 * D(d): demand of the next d days. Of those units there are left, when the day is over,
 *
 *     W_i = max(W_{i−1}, E[(Q_i − D(d_i))⁺]),   E[(Q − D)⁺] = Q − E[D] + E[(D − Q)⁺]
 *
 * and of batch i W_i − W_{i−1}. Later arrivals expire later, and change nothing of it.
 *
 * Source: Nahmias, Perishable Inventory Systems, 2011, ch. 1: stock leaves in the order of its arrival.
 * @returns in the order of expiry
 */
export function expectedWaste<B extends Batch>(
  demand: DemandForecast,
  batches: readonly B[],
): (B & { waste: Units })[] {
  let [all, wasted] = [0, 0]
  return batches
    .filter(({ quantity }) => quantity > 0)
    .toSorted((a, b) => a.days - b.days)
    .map((batch) => {
      all += batch.quantity
      const left = Math.max(wasted, leftOver(demand, batch.days, all))
      const waste = withoutNoise(Math.min(batch.quantity, left - wasted))
      wasted = left
      return { ...batch, waste }
    })
}

/** E[(Q − D)⁺] of so many days. */
function leftOver(demand: DemandForecast, days: Days, units: Units): Units {
  const until = demandOver(demand, days)
  return units - expectedShortage(until, 0) + expectedShortage(until, units)
}
