// A company that any ERP could run: items at locations with stock, purchase orders, sales orders and a ledger of
// movements. The sandboxes of ERPs show it, each in its own wire format; docs/guides/sandbox.md.
//
//   const company = makeCompany({ size: 500, now: '2026-11-20T06:00:00Z' })
//   company.sell(company.pairs[0]!, 5)
//   company.receive(company.orders[0]!, company.orders[0]!.lines[0]!, 12)
//   company.clock.advance(1)
//   truthOf(company)                                            // what a correct sync has stored
import type { Clock } from '../clock.ts'
import { isoDay } from './days.ts'
import type { Ledger, Movement, MovementKind } from './ledger.ts'
import type {
  Agreement,
  AgreementLine,
  Deletion,
  Item,
  Location,
  Order,
  OrderLine,
  Pair,
  SalesLine,
  SalesOrder,
  Supplier,
} from './model.ts'

export class Company {
  readonly clock: Clock
  readonly items: Item[] = []
  readonly locations: Location[] = []
  readonly suppliers: Supplier[] = []
  readonly pairs: Pair[] = []
  readonly orders: Order[] = []
  readonly agreements: Agreement[] = []
  readonly salesOrders: SalesOrder[] = []
  readonly deletions: Deletion[] = []
  readonly ledger: Ledger
  /** Grows where items, or where they are, change. */
  revision = 0
  #ids = 0
  #lineIds = 0

  constructor(clock: Clock, ledger: Ledger) {
    this.clock = clock
    this.ledger = ledger
  }

  pairOf(item: Item, location: Location): Pair {
    const found = this.pairs.find((pair) => pair.item === item && pair.location === location)
    if (found) return found
    const pair: Pair = { item, location, onHand: 0 }
    this.pairs.push(pair)
    this.revision++
    return pair
  }

  /** A delivery to a customer. @returns its movement */
  sell(pair: Pair, quantity: number): Movement {
    return this.#move('sale', pair, -quantity)
  }

  /** A customer brings goods back, of a sale or not. */
  takeBack(pair: Pair, quantity: number, sale: Movement | null = null): Movement {
    return this.#move('return', pair, quantity, { reverses: sale?.id ?? null })
  }

  /** A count found more or less; no demand. */
  adjust(pair: Pair, quantity: number): Movement {
    return this.#move('adjustment', pair, quantity)
  }

  receive(order: Order, line: OrderLine, quantity: number): Movement {
    line.received += quantity
    if (line.received >= line.quantity) line.isClosed = true
    this.#touch(order)
    if (order.lines.every(({ isClosed }) => isClosed)) order.status = 'done'
    return this.#move('receipt', line.pair, quantity, { order: order.id, line: line.id })
  }

  agree(
    supplier: Supplier,
    lines: Omit<AgreementLine, 'id' | 'number'>[],
    { from = null, until = null }: Partial<Pick<Agreement, 'from' | 'until'>> = {},
  ): Agreement {
    const id = this.agreements.length + 1
    const agreement: Agreement = {
      ...{ id, number: `BO${String(id).padStart(5, '0')}`, supplier, from, until },
      lines: lines.map((line, at) => ({ ...line, id, number: at + 1 })),
    }
    this.agreements.push(agreement)
    return agreement
  }

  /** What has come of it, and what is still to come of orders that call off from it. */
  calledOff(line: AgreementLine): { received: number; open: number } {
    const sum = { received: 0, open: 0 }
    for (const { status, lines } of this.orders)
      for (const { agreement, quantity, received, isClosed } of lines) {
        if (agreement !== line) continue
        sum.received += received
        if (status === 'open' && !isClosed) sum.open += Math.max(0, quantity - received)
      }
    return sum
  }

  order(supplier: Supplier, lines: { pair: Pair; quantity: number; dueInDays: number }[]): Order {
    const id = ++this.#ids
    const now = this.clock.now()
    const order: Order = {
      ...{ id, number: `PO${String(id).padStart(6, '0')}`, supplier, status: 'open' as const },
      ...{ orderedAt: now, changedAt: now },
      lines: lines.map(({ pair, quantity, dueInDays }, index) => ({
        ...{ id: ++this.#lineIds, number: index + 1, pair, quantity, received: 0 },
        ...{ due: isoDay(this.clock.today() + dueInDays), isClosed: false },
      })),
    }
    this.orders.push(order)
    return order
  }

  changeLine(order: Order, line: OrderLine, change: Partial<OrderLine>): void {
    Object.assign(line, change)
    this.#touch(order)
  }

  closeLine(order: Order, line: OrderLine): void {
    line.isClosed = true
    this.#touch(order)
    if (order.lines.every(({ isClosed }) => isClosed)) order.status = 'done'
  }

  cancelOrder(order: Order): void {
    order.status = 'cancelled'
    this.#touch(order)
  }

  /** The order is gone from the database. */
  deleteOrder(order: Order): void {
    this.orders.splice(this.orders.indexOf(order), 1)
    this.deletions.push({ kind: 'order', id: order.id, at: this.clock.now() })
  }

  takeSalesOrder(lines: { pair: Pair; quantity: number; dueInDays: number }[]): SalesOrder {
    const id = ++this.#ids
    const now = this.clock.now()
    const order: SalesOrder = {
      ...{ id, number: `SO${String(id).padStart(6, '0')}`, status: 'open' as const },
      ...{ orderedAt: now, changedAt: now },
      lines: lines.map(({ pair, quantity, dueInDays }, index) => ({
        ...{ id: ++this.#lineIds, number: index + 1, pair, quantity, delivered: 0 },
        due: isoDay(this.clock.today() + dueInDays),
      })),
    }
    this.salesOrders.push(order)
    return order
  }

  deliver(order: SalesOrder, line: SalesLine, quantity: number): Movement {
    line.delivered += quantity
    this.#touch(order)
    if (order.lines.every((each) => each.delivered >= each.quantity)) order.status = 'done'
    return this.sell(line.pair, quantity)
  }

  cancelSalesOrder(order: SalesOrder): void {
    order.status = 'cancelled'
    this.#touch(order)
  }

  addItem(wish: Omit<Item, 'id' | 'changedAt' | 'isActive'>): Item {
    const item: Item = {
      ...wish,
      id: this.items.length + 1,
      isActive: true,
      changedAt: this.clock.now(),
    }
    this.items.push(item)
    this.revision++
    return item
  }

  changeItem(item: Item, change: Partial<Omit<Item, 'id' | 'changedAt'>>): void {
    Object.assign(item, change)
    this.revision++
    this.#touch(item)
  }

  /** The item is gone from the database, with its stock; the ledger remembers it. */
  deleteItem(item: Item): void {
    this.items.splice(this.items.indexOf(item), 1)
    for (let at = this.pairs.length - 1; at >= 0; at--) {
      if (this.pairs[at]!.item === item) this.pairs.splice(at, 1)
    }
    this.revision++
    this.deletions.push({ kind: 'item', id: item.id, at: this.clock.now() })
  }

  #move(
    kind: MovementKind,
    pair: Pair,
    quantity: number,
    further: Partial<Pick<Movement, 'reverses' | 'order' | 'line'>> = {},
  ): Movement {
    pair.onHand += quantity
    return this.ledger.add({
      ...{ at: this.clock.now(), kind, item: pair.item, location: pair.location, quantity },
      ...{ reverses: null, order: null, line: null, ...further },
    })
  }

  #touch(changed: { changedAt: number }): void {
    changed.changedAt = this.clock.now()
  }
}
