import type { Order, OrderLine } from './order.ts'

/** Effects of changes on orders, by `number/item`. */
export class OrderChanges {
  /** Thousandths of the base unit. */
  readonly #received = new Map<string, number>()
  readonly #altered = new Map<string, Partial<OrderLine>>()
  /** Time of the last change by order number, milliseconds. */
  readonly #changed = new Map<string, number>()
  version = 0

  /** @param milli thousandths of the base unit, negative for what goes back */
  receive(number: string, item: string, milli: number): void {
    const key = `${number}/${item}`
    this.#received.set(key, (this.#received.get(key) ?? 0) + milli)
    this.version++
  }

  alter(number: string, item: string, now: number, values: Partial<OrderLine>): void {
    const key = `${number}/${item}`
    this.#altered.set(key, { ...this.#altered.get(key), ...values })
    this.#changed.set(number, now)
    this.version++
  }

  /** The order with all changes applied. */
  applyTo(order: Order): Order {
    if (this.version === 0) return order
    const lines = order.lines.map((line) => {
      const key = `${order.number}/${line.item}`
      const received = line.received + (this.#received.get(key) ?? 0) / line.factor
      const isCompleted = line.isCompleted || received >= line.quantity
      return { ...line, received, isCompleted, ...this.#altered.get(key) }
    })
    return { ...order, lines, changed: this.#changed.get(order.number) ?? order.changed }
  }
}
