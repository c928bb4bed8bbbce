import type { DemandForecast } from '../inventory/demand.ts'
import { propose } from '../proposal/propose.ts'
import type { ProposalInput, ReplenishmentPolicy } from '../proposal/input.ts'
import { type SupplierLine, supplierLine } from '../proposal/supplier-line.ts'
import { fillSupplierOrder, type SupplierLimits } from '../proposal/supplier-order.ts'
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
  orders: { day: Days; quantity: Units; isBelowMinimum: boolean }[]
  /** When the last day is over. */
  end: { onHand: Units; onOrder: Units }
}

/** What would have happened with every proposal ordered at its review, as calculated. */
export const replayProposals = (replay: Replay): Replayed => replayTogether([replay], null)[0]!

/**
 * The same of all pairs of an order to a supplier that asks something of a whole order: what is proposed of them on a day is
 * filled up as the supplier asks, or waits for the next review. A pair that is not reviewed on that day joins no order.
 * @param limits null: nothing is asked, and each pair goes by itself
 */
export function replayTogether(
  replays: readonly Replay[],
  limits: SupplierLimits | null,
): Replayed[] {
  const pairs = replays.map((replay) => new PairReplay(replay))
  const days = replays[0]?.wanted.length ?? 0
  for (let day = 0; day < days; day++) {
    const begun = pairs.filter(({ replay }) => replay.start.day <= day)
    for (const { shelf } of begun) shelf.receive(day)
    const proposed = begun.flatMap((pair) => pair.review(day, limits !== null) ?? [])
    const { quantities, isBelowMinimum } = together(proposed, limits)
    proposed.forEach(({ pair }, at) => pair.order(day, quantities[at]!, isBelowMinimum))
    for (const pair of begun) pair.serve(day)
  }
  return pairs.map((pair) => pair.done())
}

/** What is kept of a proposal until those of all pairs are made: not its forecast, which is large. */
interface Proposed {
  pair: PairReplay
  quantity: Units
  /** Null where it goes by itself. */
  line: SupplierLine | null
}

/** What goes out of an order: nothing while it waits, and only what presses where its minimum cannot be reached. */
function together(
  proposed: readonly Proposed[],
  limits: SupplierLimits | null,
): { quantities: Units[]; isBelowMinimum: boolean } {
  const lines = proposed.flatMap(({ line }) => line ?? [])
  if (!limits || !lines.length)
    return { quantities: proposed.map(({ quantity }) => quantity), isBelowMinimum: false }
  const order = fillSupplierOrder(lines, limits)
  const isBelowMinimum = order.status === 'below_minimum'
  const isWaiting = order.orderOrWait?.decision === 'wait'
  const goes = ({ urgency }: SupplierLine) =>
    !isWaiting && (!isBelowMinimum || (urgency !== null && urgency !== 'ahead'))
  const quantities = order.lines.map(({ quantity }, at) => (goes(lines[at]!) ? quantity : 0))
  return { quantities, isBelowMinimum }
}

/** A pair that is lived through day by day. */
class PairReplay {
  readonly replay: Replay
  readonly shelf: Shelf
  readonly #counter: DayCounter
  readonly #orders: Replayed['orders'] = []
  #next = 0

  constructor(replay: Replay) {
    const { start, terms, wanted } = replay
    this.replay = replay
    this.shelf = new Shelf(start.net, terms.waits, start.open)
    this.#counter = new DayCounter(wanted.length)
  }

  /** What is proposed on a day; null where nothing is decided on it, or nothing can be proposed. */
  review(day: Days, isTogether: boolean): Proposed | null {
    const { reviews } = this.replay
    while (reviews[this.#next]! < day) this.#next++
    if (reviews[this.#next] !== day) return null
    const input = inputOf(this.replay, this.shelf, day, this.#orders.at(-1)?.day)
    const result = propose(input)
    if (result.kind === 'blocked') return null
    return {
      pair: this,
      quantity: result.kind === 'order' ? result.quantity : 0,
      line: isTogether ? supplierLine('', input, result) : null,
    }
  }

  order(day: Days, quantity: Units, isBelowMinimum: boolean): void {
    if (quantity <= 0) return
    this.shelf.order(day, quantity, this.replay.leadTimeAt(day))
    this.#orders.push({ day, quantity, isBelowMinimum })
    if (this.replay.counted[day]) this.#counter.tally.add(day, 'lines', 1)
    // An order that takes no time is there at once.
    this.shelf.receive(day)
  }

  serve(day: Days): void {
    const { wanted, counted, sold } = this.replay
    const short = this.shelf.serve(wanted[day]!)
    const { onHand } = this.shelf
    sold?.(day, wanted[day]! - short, onHand)
    if (counted[day]) this.#counter.count(day, { wanted: wanted[day]!, short, onHand })
  }

  done(): Replayed {
    const { onHand, onOrder } = this.shelf
    return { tally: this.#counter.tally, orders: this.#orders, end: { onHand, onOrder } }
  }
}

const inputOf = (
  { terms, dateOf, forecastAt }: Replay,
  { net, onHand, open, onOrder }: Shelf,
  day: Days,
  lastOrder: Days | undefined,
): ProposalInput => ({
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
