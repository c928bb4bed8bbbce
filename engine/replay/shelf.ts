import type { Days, Units } from '../types.ts'

/** An order that is still to come. */
export interface OpenOrder {
  /** The day on which it was placed; below 0 before the first day. */
  placed: Days
  arrives: Days
  quantity: Units
}

/**
 * Stock of a SKU at a location day by day, days counted from any first one: what arrives, then what is ordered, then what is
 * wanted. Demand that finds no stock waits and is served first of what arrives next, or is lost.
 */
export class Shelf {
  /** Below 0 where demand waits. */
  net: Units
  open: OpenOrder[]
  readonly #waits: boolean

  constructor(net: Units, waits: boolean, open: readonly OpenOrder[] = []) {
    this.net = net
    this.open = [...open]
    this.#waits = waits
  }

  get onHand(): Units {
    return Math.max(0, this.net)
  }

  get onOrder(): Units {
    return this.open.reduce((sum, { quantity }) => sum + quantity, 0)
  }

  /** Takes in what arrives on this day or was to arrive before. */
  receive(day: Days): void {
    if (!this.open.some(({ arrives }) => arrives <= day)) return
    for (const { arrives, quantity } of this.open) if (arrives <= day) this.net += quantity
    this.open = this.open.filter(({ arrives }) => arrives > day)
  }

  order(placed: Days, quantity: Units, leadTimeDays: Days): void {
    if (quantity > 0) this.open.push({ placed, arrives: placed + leadTimeDays, quantity })
  }

  /** @returns what found no stock */
  serve(wanted: Units): Units {
    const short = Math.max(0, wanted - this.onHand)
    this.net -= this.#waits ? wanted : wanted - short
    return short
  }
}
