import { MAX_HORIZON_DAYS, medianDemand } from './demand.ts'
import type { DemandQuantiles } from './demand.ts'
import type { Days, Units } from '../types.ts'

/**
 * Reorder point at the median: s = F⁻¹(0.5; L) (units). Supply below it is expected to run out
 * before an order placed today arrives. The safety above it is in the order-up-to level.
 *
 * Source: Silver, Pyke, Thomas, Inventory and Production Management in Supply Chains, 4th ed.,
 * ch. 6, the (s,Q) and (s,S) systems.
 */
export function reorderPoint(demand: DemandQuantiles, leadTimeDays: Days): Units {
  return medianDemand(demand, leadTimeDays)
}

/**
 * Days from today to the last day on which an order still arrives before the median demand has
 * used up the supply: the greatest t with F⁻¹(0.5; t + L) ≤ supply. 0 where it is too late, and
 * where the lead time fills the forecast, since nothing then shows that waiting is safe.
 */
export function daysUntilReorder(demand: DemandQuantiles, leadTimeDays: Days, supply: Units): Days {
  let safe = 0
  let short = Math.max(0, MAX_HORIZON_DAYS - leadTimeDays) + 1
  while (short - safe > 1) {
    const middle = (safe + short) >> 1
    if (medianDemand(demand, leadTimeDays + middle) <= supply) safe = middle
    else short = middle
  }
  return safe
}
