import { type DemandForecast, demandOver } from './demand.ts'
import { expectedShortage, quantileOf } from '../forecast/distribution.ts'
import { withoutNoise } from './position.ts'
import type { Days, Units } from '../types.ts'

/** Stock that expires on one day. */
export interface Batch {
  /** Days from today on which it can still be sold; 0: none any more, 1: today alone. */
  days: Days
  quantity: Units
}

/** Levels of demand at which all horizons are looked at, where there is more than one batch. */
const LEVELS = Array.from({ length: 50 }, (_, i) => (i + 0.5) / 50)

/**
 * What of each batch expires unsold, in the mean, where what expires first is sold first. Q_i: all units that expire by day d_i,
 * D(d): demand of the next d days. Of those units there are left, when the day is over,
 *
 *     W_i = max(W_{i−1}, Q_i − D(d_i)),   W_0 = 0
 *
 * and of batch i E[W_i] − E[W_{i−1}]. The first is E[(Q_1 − D)⁺] = Q_1 − E[D] + E[(D − Q_1)⁺]; of the others the mean is that over
 * levels of demand: where the first days bring little, so do all. Later arrivals expire later, and change nothing of it.
 *
 * Source: Nahmias, Perishable Inventory Systems, 2011, ch. 1: stock leaves in the order of its arrival.
 * @returns in the order of expiry
 */
export function expectedWaste<B extends Batch>(
  demand: DemandForecast,
  batches: readonly B[],
): (B & { waste: Units })[] {
  const sorted = batches.filter(({ quantity }) => quantity > 0).toSorted((a, b) => a.days - b.days)
  let all = 0
  let before: Units[] = []
  return sorted.map((batch, i) => {
    all += batch.quantity
    const left = sorted.length > 1 ? leftAt(demand, batch.days, all) : []
    const wasted = left.map((units, at) => Math.max(before[at] ?? 0, units))
    const waste = i ? mean(wasted) - mean(before) : leftOver(demand, batch.days, all)
    before = wasted
    return { ...batch, waste: withoutNoise(Math.min(batch.quantity, Math.max(0, waste))) }
  })
}

const mean = (units: readonly Units[]) => units.reduce((sum, each) => sum + each, 0) / units.length

/** (Q − D)⁺ at each level. */
function leftAt(demand: DemandForecast, days: Days, units: Units): Units[] {
  const until = demandOver(demand, days)
  return LEVELS.map((level) => Math.max(0, units - quantileOf(until, level)))
}

/** E[(Q − D)⁺] of so many days. */
function leftOver(demand: DemandForecast, days: Days, units: Units): Units {
  const until = demandOver(demand, days)
  return units - expectedShortage(until, 0) + expectedShortage(until, units)
}
