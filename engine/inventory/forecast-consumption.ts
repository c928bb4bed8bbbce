import { type DemandForecast, medianDemand } from './demand.ts'
import type { Arrival } from './supply.ts'
import type { Days, Units } from '../types.ts'

/** An order of a customer, by the day on which it is due, counted from today. */
export interface FirmOrder {
  day: Days
  quantity: Units
}

/**
 * Firm orders beyond the forecast, by the day on which they take from the shelf what no forecast expects, negative:
 * E(d) = max over s ≤ d of max(0, O(s) − P50(s + 1)), O(s): orders due after today and until day s. Orders within the
 * forecast are part of it and count no second time.
 *
 * Source: backward consumption of the forecast, APICS Dictionary, "consuming the forecast"; Vollmann, Berry, Whybark,
 * Jacobs, Manufacturing Planning and Control for Supply Chain Management, 6th ed., ch. 6.
 * @param orders due after today, in any order
 */
export function ordersBeyondForecast(
  demand: DemandForecast,
  orders: readonly FirmOrder[],
): Arrival[] {
  const steps: Arrival[] = []
  let [ordered, beyond] = [0, 0]
  for (const { day, quantity } of orders.toSorted((a, b) => a.day - b.day)) {
    ordered += quantity
    const more = ordered - Math.round(medianDemand(demand, day + 1)) - beyond
    if (more <= 0) continue
    steps.push({ day, quantity: -more })
    beyond += more
  }
  return steps
}
