import { demandQuantile } from '../inventory/demand.ts'
import { lostBefore } from '../inventory/lost-demand.ts'
import { type OrderUpTo, orderUpTo } from '../inventory/order-up-to.ts'
import { withoutNoise } from '../inventory/position.ts'
import { supplyBefore } from '../inventory/supply.ts'
import type { DemandForecast } from '../inventory/demand.ts'
import { isExpected, type Situation } from './situation.ts'
import type { Days, Level, Units } from '../types.ts'

/** What decides how much is missing: the day before which most is, and what counts until then. */
export interface Requirement extends OrderUpTo {
  /** Open orders that arrive before that day, and later. */
  onOrder: Units
  onOrderLater: Units
  /** − in the sum: drafts that come before that day. */
  drafts: Units
  /** + in the sum: promised until that day beyond what the forecast expects. */
  reserved: Units
  /** − in the sum: demand after that day, which receipts of that day and later cover. */
  coveredLater: Units
  /** − in the sum: demand before the order arrives that finds no stock and does not wait. */
  lostBeforeArrival: Units
}

/**
 * The largest shortage over time from the arrival of an order placed now until the next one's: at
 * the end of the protection interval, or before a receipt within it. What comes only after the shelf
 * has run empty does not keep it full.
 */
export function requirementOf(
  demand: DemandForecast,
  situation: Situation,
  level: Level,
  isLost: boolean,
): Requirement {
  const { supply, leadTime, protection, arrivalDay } = situation
  const reviewDays = protection - leadTime.meanDays
  const atEnd = orderUpTo(demand, { leadTime, reviewDays, days: protection }, level)
  const whole = atEnd.targetStock + atEnd.beyondHorizon + atEnd.leadTimeSafety
  const lost = isLost ? lostOf(demand, situation, whole) : 0
  let worst = {
    day: protection,
    target: whole,
    short: whole - lost - supplyBefore(supply, protection),
  }
  for (const day of receiptDays(situation)) {
    if (day <= arrivalDay || day >= protection) continue
    const target = Math.min(whole, demandQuantile(demand, day, level))
    const short = target - lost - supplyBefore(supply, day)
    if (short > Math.max(0, worst.short)) worst = { day, target, short }
  }
  const receipts = { now: 0, arrivals: situation.receipts.filter(isExpected) }
  const beyondForecast = { now: 0, arrivals: situation.beyondForecast }
  const onOrder = supplyBefore(receipts, worst.day)
  return {
    ...atEnd,
    onOrder,
    onOrderLater: withoutNoise(supplyBefore(receipts, Infinity) - onOrder),
    drafts: supplyBefore({ now: 0, arrivals: situation.draftArrivals }, worst.day),
    reserved: withoutNoise(situation.reserved - supplyBefore(beyondForecast, worst.day)),
    coveredLater: withoutNoise(whole - worst.target),
    lostBeforeArrival: lost,
  }
}

/** In whole units. */
function lostOf(demand: DemandForecast, situation: Situation, total: Units): Units {
  const { supply, arrivalDay, protection } = situation
  const days = { untilArrival: arrivalDay, days: protection }
  return Math.floor(lostBefore(demand, days, supplyBefore(supply, arrivalDay), total))
}

const receiptDays = ({ supply }: Situation): Days[] => [
  ...new Set(supply.arrivals.map(({ day }) => day)),
]
