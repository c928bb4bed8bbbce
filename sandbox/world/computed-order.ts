import type { Order, OrderLine } from './order.ts'

/** An order whose lines are computed when they are read. */
export class ComputedOrder implements Order {
  readonly number: string
  readonly created: number
  readonly changed: number
  readonly supplier: string
  readonly deletion: '' | 'L'
  readonly #compute: () => OrderLine[]
  #lines: OrderLine[] | null = null

  constructor(header: Omit<Order, 'lines'>, compute: () => OrderLine[]) {
    this.number = header.number
    this.created = header.created
    this.changed = header.changed
    this.supplier = header.supplier
    this.deletion = header.deletion
    this.#compute = compute
  }

  get lines(): OrderLine[] {
    return (this.#lines ??= this.#compute())
  }
}
