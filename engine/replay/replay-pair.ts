import type { DemandForecast } from '../inventory/demand.ts'
import { propose } from '../proposal/propose.ts'
import type { ProposalInput, ReplenishmentPolicy } from '../proposal/input.ts'
import type { Days, Units } from '../types.ts'
import type { OwnPath } from './own-path.ts'
import { type OpenOrder, Shelf } from './shelf.ts'
import { DayCounter, type Tally } from './tally.ts'

/** How a pair is ordered in a replay. */
export interface ReplayTerms {
  planning: ProposalInput['planning']
  policy: ReplenishmentPolicy
  /** What becomes of demand that finds no stock. */
  waits: boolean
}

/** A past that is lived through once more. */
export interface Replay {
  terms: ReplayTerms
  /** Units by day. */
  wanted: Float64Array
  /** Days from `start` on of which the company's own stock is known: others count for neither side. */
  counted: Uint8Array
  /** The morning of the day that the replay begins with: its stock and what is on order. */
  start: { day: Days; net: Units; open: readonly OpenOrder[] }
  /** Days on which orders are decided, ascending. */
  reviews: readonly Days[]
  /** The day as `YYYY-MM-DD`. */
  dateOf(day: Days): string
  /** Made from the days before it alone. */
  forecastAt(day: Days): DemandForecast
  /** How long an order of this day really took. */
  leadTimeAt(day: Days): Days
  /** Told of each day what was sold of it, and what is left. */
  sold?(day: Days, units: Units, onHand: Units): void
}

export interface Replayed {
  tally: Tally
  orders: { day: Days; quantity: Units }[]
  /** When the last day is over. */
  end: { onHand: Units; onOrder: Units }
}

/** What would have happened with every proposal ordered at its review, as calculated. */
export function replayProposals(replay: Replay): Replayed {
  const { terms, wanted, counted, start, reviews } = replay
  const shelf = new Shelf(start.net, terms.waits, start.open)
  const counter = new DayCounter(wanted.length)
  const orders: Replayed['orders'] = []
  let next = 0
  for (let day = start.day; day < wanted.length; day++) {
    shelf.receive(day)
    while (reviews[next]! < day) next++
    if (reviews[next] === day) {
      next++
      const quantity = quantityAt(replay, shelf, day, orders.at(-1)?.day)
      if (quantity > 0) {
        shelf.order(day, quantity, replay.leadTimeAt(day))
        orders.push({ day, quantity })
        if (counted[day]) counter.tally.add(day, 'lines', 1)
        // An order that takes no time is there at once.
        shelf.receive(day)
      }
    }
    const short = shelf.serve(wanted[day]!)
    replay.sold?.(day, wanted[day]! - short, shelf.onHand)
    if (counted[day]) counter.count(day, { wanted: wanted[day]!, short, onHand: shelf.onHand })
  }
  const { onHand, onOrder } = shelf
  return { tally: counter.tally, orders, end: { onHand, onOrder } }
}

function quantityAt(
  { terms, dateOf, forecastAt }: Replay,
  { net, onHand, open, onOrder }: Shelf,
  day: Days,
  lastOrder: Days | undefined,
): Units {
  const result = propose({
    asOf: dateOf(day),
    forecast: forecastAt(day),
    daysSinceOrder: lastOrder === undefined ? null : day - lastOrder,
    position: {
      onHand,
      onOrder,
      openProposals: 0,
      backorders: Math.max(0, -net),
      // Nobody knew when they would come: a lead time after they were placed.
      receipts: open.map((order) => ({
        date: null,
        orderedOn: dateOf(order.placed),
        quantity: order.quantity,
      })),
    },
    planning: terms.planning,
    policy: terms.policy,
  })
  return result.kind === 'order' ? result.quantity : 0
}

/** What the company really had, counted alike. */
export function countOwn({ net, arrivals, counted }: OwnPath, wanted: Float64Array): Tally {
  const counter = new DayCounter(wanted.length)
  for (let day = 0; day < wanted.length; day++) {
    if (!counted[day]) continue
    const onHand = Math.max(0, net[day + 1]!)
    const available = Math.max(0, net[day]! + arrivals[day]!)
    const short = onHand > 0 ? 0 : Math.max(0, wanted[day]! - available)
    counter.count(day, { wanted: wanted[day]!, short, onHand })
  }
  return counter.tally
}
