import { medianDemand } from './demand.ts'
import { ceilTo, floorTo, roundToLots, wholeStep } from './lots.ts'
import { withoutNoise } from './position.ts'
import type { DemandForecast } from './demand.ts'
import type { LotRule } from './lots.ts'
import type { Days, Units } from '../types.ts'

/**
 * The most that may still be ordered so that stock does not outlive its shelf life:
 * P50(L + Z) − max(IP, P50(L)) (units), Z: usable days after arrival, L: lead time. The position is
 * used first, over the lead time at the latest; what is overdue leaves on arrival.
 *
 * Source: Nahmias, Perishable Inventory Systems, ch. 1: stock leaves in the order of its arrival.
 */
export function shelfLifeLimit(
  demand: DemandForecast,
  leadTimeDays: Days,
  shelfLifeDays: Days,
  position: Units,
): Units {
  const untilArrival = medianDemand(demand, leadTimeDays)
  const untilExpiry = medianDemand(demand, leadTimeDays + shelfLifeDays)
  const overdue = Math.max(0, -position)
  return withoutNoise(untilExpiry - Math.max(position, untilArrival) + overdue)
}

/**
 * A net requirement raised to the minimum and to whole lots, then cut to the limit in whole lots.
 * 0 where less than the minimum is left, so it is always 0 or can be ordered.
 */
export function orderQuantity(net: Units, lots: LotRule, limit: Units = Infinity): Units {
  const quantity = roundToLots(net, lots)
  if (quantity <= limit) return quantity
  const step = wholeStep(lots.lotSize)!
  const most = floorTo(limit, step)
  return most >= smallestOrder(lots) ? most : 0
}

/** The least quantity that can be ordered. */
export function smallestOrder({ moq, lotSize }: LotRule): Units {
  const step = wholeStep(lotSize) ?? 1
  return Math.max(step, ceilTo(moq, step))
}
