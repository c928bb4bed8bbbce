import { DAY_MS } from '../clock.ts'
import type { Item, Location } from './model.ts'

export type MovementKind = 'sale' | 'return' | 'receipt' | 'adjustment'

/** A line of the stock ledger; none is ever changed. */
export interface Movement {
  /** From 1 on, in the order of booking. */
  id: number
  /** Milliseconds since 1970. */
  at: number
  kind: MovementKind
  item: Item
  location: Location
  /** Base units; negative where stock leaves. */
  quantity: number
  /** The movement that is taken back. */
  reverses: number | null
  /** The purchase order and its line, of a receipt. */
  order: number | null
  line: number | null
}

/** Past sales, which are made up, lie in columns: a company of 50,000 items has millions of them. */
export interface PastSales {
  /** Days since 1970, ascending. */
  day: Uint16Array
  pair: Uint32Array
  quantity: Float64Array
}

/** All movements by number. */
export class Ledger {
  readonly #past: PastSales
  readonly #pairs: { item: Item; location: Location }[]
  readonly #added: Movement[] = []

  /** @param pairs what the numbers in `past.pair` mean */
  constructor(past: PastSales, pairs: { item: Item; location: Location }[]) {
    this.#past = past
    this.#pairs = pairs
  }

  get size(): number {
    return this.#past.day.length + this.#added.length
  }

  add(movement: Omit<Movement, 'id'>): Movement {
    const added = { ...movement, id: this.size + 1 }
    this.#added.push(added)
    return added
  }

  /** @param id from 1 to `size` */
  movement(id: number): Movement {
    const { day, pair, quantity } = this.#past
    if (id > day.length) return this.#added[id - 1 - day.length]!
    const { item, location } = this.#pairs[pair[id - 1]!]!
    return {
      // At noon, so that no time zone moves it to another day.
      ...{ id, at: day[id - 1]! * DAY_MS + 43_200_000, kind: 'sale', item, location },
      ...{ quantity: -quantity[id - 1]!, reverses: null, order: null, line: null },
    }
  }

  /** The first movement that was booked at or after a time; `size + 1` where there is none. */
  firstAt(at: number): number {
    let [low, high] = [1, this.size + 1]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.movement(middle).at < at) low = middle + 1
      else high = middle
    }
    return low
  }
}
