// The demo's past, made up: what a planner would have ordered who knows the demand before each day and nothing later.
// It runs forward to today, so that today's stock and open orders are what it ends with.
import { randomFrom } from './random.ts'

/** How a pair is ordered, and what was wanted of it. Days count from any first one. */
export interface PlannedPair {
  sku: string
  location: string
  supplier: string
  leadTimeDays: number
  reviewDays: number
  moq: number
  lotSize: number
  /** Units by day. */
  demand: Map<number, number>
}

/** A line of the order that a supplier got for a location on a day. */
export interface PastLine {
  pair: PlannedPair
  orderedOn: number
  due: number
  /** It has come if it is before today. */
  receivedOn: number
  quantity: number
}

export interface PairPast {
  onHand: number
  lines: PastLine[]
  /** Days that ended without stock. */
  stockouts: number[]
}

/** Days before today from which on orders are known. */
const PAST_DAYS = 400
/** Days before an order whose mean demand the planner takes for what is to come. */
const MEAN_DAYS = 84
const FEWEST_DAYS = 28
const WEEK = 7
const LEAST_FACTOR = 1.2
const FACTOR_SPREAD = 2

/** Lives through the days of a pair up to the eve of `today`. Demand that finds no stock waits, and is served first of what comes. */
export function makePast(pair: PlannedPair, today: number, seed: string): PairPast {
  const { sku, location, leadTimeDays, reviewDays, demand } = pair
  const random = randomFrom(`${seed} past ${sku} ${location}`)
  const { first, dailyBefore } = meansOf(demand)
  const start = Math.max(first, today - PAST_DAYS)
  /** How much more than the mean of the past this planner likes to have of the SKU. */
  const factor = LEAST_FACTOR + random() * FACTOR_SPREAD
  const reach = leadTimeDays + reviewDays
  const past: PairPast = { onHand: 0, lines: [], stockouts: [] }
  // A SKU that is new begins with one order's worth of it.
  let net = Math.max(pair.moq, Math.round(dailyBefore(start) * reach * factor))
  let onOrder: PastLine[] = []
  for (let day = start; day < today; day++) {
    for (const { receivedOn, quantity } of onOrder) if (receivedOn === day) net += quantity
    onOrder = onOrder.filter(({ receivedOn }) => receivedOn > day)
    if (ordersOn(pair, today - day)) {
      const daily = dailyBefore(day)
      const available = onOrder.reduce((sum, line) => sum + line.quantity, net)
      const quantity = quantityFor(pair, available, daily * reach * factor, daily * WEEK)
      if (quantity > 0) {
        const due = day + leadTimeDays
        const receivedOn = due + delayOf(pair, today - day, seed)
        const line = { pair, orderedOn: day, due, receivedOn, quantity }
        past.lines.push(line)
        onOrder.push(line)
      }
    }
    net -= demand.get(day) ?? 0
    if (net <= 0) past.stockouts.push(day)
  }
  past.onHand = Math.max(0, net)
  return past
}

/** The first day with demand, and the mean of the days before any other. */
function meansOf(demand: Map<number, number>) {
  const first = Math.min(...demand.keys())
  const sums = [0]
  const until = (day: number) => {
    for (let i = sums.length; i <= day - first; i++)
      sums.push(sums[i - 1]! + (demand.get(first + i - 1) ?? 0))
    return sums[Math.max(0, day - first)]!
  }
  const dailyBefore = (day: number) => {
    const days = Math.min(MEAN_DAYS, Math.max(FEWEST_DAYS, day - first))
    return (until(day) - until(day - days)) / days
  }
  return { first, dailyBefore }
}

/** Each supplier takes orders on a day of the week; a pair that is reviewed every second week skips one. */
function ordersOn({ supplier, reviewDays }: PlannedPair, daysAgo: number): boolean {
  return (daysAgo + numberOf(supplier)) % reviewDays === 0
}

/** Up to a level and a week more, where there is less than the level. */
function quantityFor(
  { moq, lotSize }: PlannedPair,
  available: number,
  level: number,
  more: number,
): number {
  if (available >= level) return 0
  return Math.max(moq, lotSize * Math.ceil((level + more - available) / lotSize))
}

/** An order comes late as a whole: one in five of the worst supplier, hardly one of the best. */
function delayOf({ supplier, location, leadTimeDays }: PlannedPair, daysAgo: number, seed: string) {
  const random = randomFrom(`${seed} ${supplier} ${location} ${daysAgo}`)
  const isLate = random() < 0.03 * numberOf(supplier)
  return isLate ? 1 + Math.floor(random() * 0.6 * leadTimeDays) : 0
}

/** Of `S-03`, 3. */
const numberOf = (supplier: string) => Number(supplier.slice(2))
