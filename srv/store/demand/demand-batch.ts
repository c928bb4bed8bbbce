import { byText } from '../../../engine/series/natural-order.ts'
import type { DemandRow, DemandRowList } from '../native/index.ts'
import { blockOf, sortKey } from '../native/index.ts'
import { UNKNOWN, type DemandColumns } from './columns.ts'

/** A row that reverses another one; it counts on the day of its original. */
export interface Reversal extends DemandRow {
  original: string
}

/** Columns of demand with the numbers of their series; rows are made when they are asked for. */
export class DemandBatch {
  readonly #columns: DemandColumns
  readonly series: Int32Array
  readonly #reversals: Set<number>

  /** @param numbers the series of each pair of the read */
  constructor(columns: DemandColumns, numbers: readonly number[]) {
    this.#columns = columns
    this.#reversals = new Set(columns.reversals.map(([at]) => at))
    this.series = new Int32Array(columns.length)
    for (let at = 0; at < columns.length; at++) this.series[at] = numbers[columns.pairs[at]!]!
  }

  get length(): number {
    return this.#columns.length
  }

  date(at: number): string {
    return this.#columns.days[this.#columns.dates[at]!]!
  }

  document(at: number): string {
    const { documents, documentEnds } = this.#columns
    return documents.slice(at ? documentEnds[at - 1] : 0, documentEnds[at])
  }

  at(at: number): DemandRow {
    const { quantities, prices, promos } = this.#columns
    const [price, promo] = [prices[at]!, promos[at]!]
    return {
      series: this.series[at]!,
      date: this.date(at),
      document: this.document(at),
      quantity: quantities[at]!,
      price: Number.isNaN(price) ? null : price,
      promo: promo === UNKNOWN ? null : promo === 1,
    }
  }

  /** The latest day of all rows; empty without rows. */
  get newest(): string {
    return this.#columns.days.reduce((newest, day) => (day > newest ? day : newest), '')
  }

  isReversal(at: number): boolean {
    return this.#reversals.has(at)
  }

  reversals(): Reversal[] {
    return this.#columns.reversals.map(([at, original]) => ({ ...this.at(at), original }))
  }

  /** All but the reversals, in the order of the key; of a repeated key the last. */
  sorted(): DemandRowList {
    const order = this.#order()
    return { length: order.length, at: (place) => this.at(order[place]!) }
  }

  #order(): Uint32Array {
    const keys = this.#sortKeys()
    const compare = (a: number, b: number) =>
      keys[a]! - keys[b]! || byText(this.document(a), this.document(b))
    const order = this.#places().sort(compare)
    const { length } = order
    return order.filter((at, place) => place + 1 === length || compare(at, order[place + 1]!) !== 0)
  }

  /** The places of all rows but the reversals. */
  #places(): Uint32Array {
    const places = new Uint32Array(this.length - this.#reversals.size)
    for (let at = 0, next = 0; at < this.length; at++) if (!this.isReversal(at)) places[next++] = at
    return places
  }

  #sortKeys(): Float64Array {
    const { days, dates } = this.#columns
    const inOrder = new Map(days.toSorted().map((day, rank) => [day, rank]))
    const ranks = Uint32Array.from(days, (day) => inOrder.get(day)!)
    const keys = new Float64Array(this.length)
    for (let at = 0; at < keys.length; at++) {
      keys[at] = sortKey(this.series[at]!, ranks[dates[at]!]!, days.length)
    }
    return keys
  }
}

/** Few rows, in the order of the key; of a repeated key the last. */
export function sortRows(rows: DemandRow[]): DemandRow[] {
  const compare = (a: DemandRow, b: DemandRow) =>
    blockOf(a.series) - blockOf(b.series) ||
    byText(a.date, b.date) ||
    a.series - b.series ||
    byText(a.document, b.document)
  const ordered = rows.toSorted(compare)
  return ordered.filter((row, at) => at + 1 === ordered.length || compare(row, ordered[at + 1]!))
}
