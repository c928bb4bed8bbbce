import type { Order, OrderLine } from './order.ts'

/** Effects of changes on orders, by `number/item`. */
export class OrderChanges {
  /** Thousandths of the base unit. */
  readonly #received = new Map<string, number>()
  readonly #altered = new Map<string, Partial<OrderLine>>()
  /** Deletion codes of whole orders, by their number. */
  readonly #deletions = new Map<string, Order['deletion']>()
  /** Time of the last change by order number, milliseconds. */
  readonly #changed = new Map<string, number>()
  /** Numbers of the changed orders. */
  readonly #orders = new Set<string>()
  version = 0

  /** @param milli thousandths of the base unit, negative for what goes back */
  receive(number: string, item: string, milli: number): void {
    const key = `${number}/${item}`
    this.#received.set(key, (this.#received.get(key) ?? 0) + milli)
    const { isCompleted, ...others } = this.#altered.get(key) ?? {}
    // A line that was opened again is completed by its receipts.
    if (isCompleted === false) this.#altered.set(key, others)
    this.#touch(number, null)
  }

  /** @param now the order's new timestamp; null leaves the one that it has */
  alter(number: string, item: string, now: number | null, values: Partial<OrderLine>): void {
    const key = `${number}/${item}`
    this.#altered.set(key, { ...this.#altered.get(key), ...values })
    this.#touch(number, now)
  }

  /** Sets the deletion code of a whole order; its lines keep their own. */
  alterHeader(number: string, now: number | null, deletion: Order['deletion']): void {
    this.#deletions.set(number, deletion)
    this.#touch(number, now)
  }

  #touch(number: string, now: number | null): void {
    this.#orders.add(number)
    if (now !== null) this.#changed.set(number, now)
    this.version++
  }

  /** The order with all changes applied. */
  applyTo(order: Order): Order {
    if (!this.#orders.has(order.number)) return order
    return {
      ...order,
      lines: order.lines.map((line) => this.#applyToLine(line, `${order.number}/${line.item}`)),
      deletion: this.#deletions.get(order.number) ?? order.deletion,
      changed: this.#changed.get(order.number) ?? order.changed,
    }
  }

  #applyToLine(line: OrderLine, key: string): OrderLine {
    const altered = this.#altered.get(key)
    const milli = this.#received.get(key)
    if (milli === undefined) return altered ? { ...line, ...altered } : line
    const received = line.received + milli / line.factor
    const isCompleted = line.isFinal === true || received >= line.quantity
    return { ...line, received, isCompleted, ...altered }
  }
}
