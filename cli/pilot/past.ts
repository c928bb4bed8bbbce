// What a pilot knows of a company's past, wherever it was read: in shared memory, so that threads see it without a copy.
import type { Days, EpochDay, Units } from '../../engine/index.ts'
import type {
  CostRates,
  ProposalInput,
  ReplenishmentPolicy,
  SupplierLimits,
} from '../../engine/proposal/index.ts'
import { type Histories, sharedFloats, sharedInts, toHistories } from '../offline/histories.ts'
import { HistoryRows } from '../offline/history-rows.ts'
import type { Pair } from '../offline/pairs.ts'
import type { Note } from './texts.ts'

/** How a pair is ordered and what it costs, as it stands today. */
export interface PastPair extends Pair {
  group: string | null
  /** Of one unit; null where nobody says. */
  unitCost: number | null
  currency: string | null
  planning: ProposalInput['planning']
  policy: Pick<ReplenishmentPolicy, 'target' | 'orderLineCost'>
  costs: CostRates
  /** What its supplier asks of a whole order: of one location, or `''` for all; null: nothing. */
  supplierOrder: { location: string; limits: SupplierLimits } | null
}

/**
 * Terms that count in a replay; null where nothing is asked, or only 0. What saves freight is left out: nobody knows what
 * freight the company paid, so that it counts on neither side.
 */
export function supplierOrderOf(
  location: string,
  { minimumValue, minimumQuantity, containerUnits, orderCost, coverDays }: SupplierLimits,
): PastPair['supplierOrder'] {
  if (!minimumValue && !minimumQuantity && !containerUnits && !orderCost) return null
  return {
    location,
    limits: { minimumValue, minimumQuantity, containerUnits, orderCost, coverDays },
  }
}

/** The order to its supplier that a pair is part of. Amounts of several currencies are never added up. */
export const orderOf = ({ supplierOrder, planning, sku, location, currency }: PastPair): string =>
  JSON.stringify([planning.supplier ?? sku, supplierOrder?.location ?? location, currency])

/** Order lines of all pairs; those of pair i are `starts[i]` up to but not including `starts[i + 1]`. */
export interface OrderLines {
  starts: Int32Array
  /** NaN where nobody knows. */
  ordered: Float64Array
  /** Infinity for what has not come yet. */
  received: Float64Array
  quantities: Float64Array
  /** The number of the order that it is a line of. */
  documents: Int32Array
}

export interface Past {
  pairs: PastPair[]
  histories: Histories
  /** Stock at the end of days, as far as it is known; the last one is often that of today. */
  levels: Histories
  /** Days on which stock was seen, by location: no row of a pair on such a day means that there was some. */
  seen: Map<string, Int32Array>
  lines: OrderLines
  /** Whether receipts were read at all, and days of orders with them. */
  hasReceipts: boolean
  /** The day after the last one that is known. */
  end: EpochDay
  /** How it was understood and what is left out. */
  notes: Note[]
}

export interface OrderLine {
  pair: number
  ordered: EpochDay | null
  /** Null for what has not come yet. */
  received: EpochDay | null
  quantity: Units
  document: string
}

/** @param pairs how many; each line names one of them */
export function toOrderLines(pairs: number, lines: readonly OrderLine[]): OrderLines {
  const starts = sharedInts(pairs + 1)
  for (const { pair } of lines) starts[pair + 1]!++
  for (let i = 0; i < pairs; i++) starts[i + 1]! += starts[i]!
  const [ordered, received] = [sharedFloats(lines.length), sharedFloats(lines.length)]
  const [quantities, documents] = [sharedFloats(lines.length), sharedInts(lines.length)]
  const numbers = new Map<string, number>()
  const next = starts.slice()
  for (const line of lines) {
    const at = next[line.pair]!++
    ordered[at] = line.ordered ?? NaN
    received[at] = line.received ?? Infinity
    quantities[at] = line.quantity
    let number = numbers.get(line.document)
    if (number === undefined) numbers.set(line.document, (number = numbers.size))
    documents[at] = number
  }
  return { starts, ordered, received, quantities, documents }
}

/** Stock at the end of days, added up by pair and day; what lies below 0 is an empty shelf. */
export class StockLevels {
  readonly #rows = new HistoryRows()
  readonly #seen = new Map<string, Set<EpochDay>>()

  add(pair: number, day: EpochDay, units: Units): void {
    this.#rows.add(pair, day, Math.max(0, units))
  }

  see(location: string, day: EpochDay): void {
    const days = this.#seen.get(location) ?? new Set<EpochDay>()
    this.#seen.set(location, days.add(day))
  }

  /** @param pairs how many */
  done(pairs: number): Pick<Past, 'levels' | 'seen'> {
    const rank = Int32Array.from({ length: pairs }, (_, pair) => pair)
    const seen = new Map<string, Int32Array>()
    for (const [location, days] of this.#seen) {
      const shared = sharedInts(days.size)
      shared.set([...days].sort((a, b) => a - b))
      seen.set(location, shared)
    }
    return { levels: toHistories(this.#rows.grouped(rank)), seen }
  }
}

/** The days that a pilot replays, whole weeks. */
export interface Window {
  start: EpochDay
  days: Days
}
