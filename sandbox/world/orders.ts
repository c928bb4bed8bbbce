// Computed purchase orders, each for the pairs of one block of SKUs and with one course of events for all lines;
// and orders added by changes.
import { DELETED, DELETED_AFTER, DUE, EVENTS, FINAL, eventsOf, part } from './order-events.ts'
import { endOf, toMs, weekday } from './days.ts'
import { mix } from './hash.ts'
import { RECEIPT_SIGNS } from './movement-types.ts'
import { OrderChanges } from './order-changes.ts'
import { BLOCK_PAIRS } from './pairs.ts'
import type { Event, Part } from './order-events.ts'
import type { Day } from './days.ts'
import type { Demand } from './demand.ts'
import type { Order, OrderLine } from './order.ts'
import type { Pairs } from './pairs.ts'

const PERIOD = 127
const FIRST_NUMBER = 4_500_000_000
const FIRST_ADDED = 4_600_000_000
/** Most lines of an order: a block's pairs and one irregular line. */
export const ORDER_LINES = BLOCK_PAIRS + 1
/** Most schedule lines of an order line. */
export const SCHEDULE_LINES = 4

interface OrderDay {
  count: number
  /** The first order's block of SKUs. */
  first: number
  /** Random shift of the courses. */
  shift: number
}

export class Orders {
  readonly #pairs: Pairs
  readonly #demand: Demand
  readonly #start: Day
  readonly #today: () => Day
  readonly #today0: Day
  readonly #supplierOf: (sku: number) => string
  readonly #days = new Map<Day, OrderDay>()
  /** Number of orders before the i-th day of history. */
  readonly #before: number[] = [0]
  readonly added: Order[] = []
  readonly changes = new OrderChanges()
  #cached!: Order
  #cachedFor = { index: -1, today: 0, version: 0 }

  constructor(
    pairs: Pairs,
    demand: Demand,
    start: Day,
    today: () => Day,
    supplierOf: (sku: number) => string,
  ) {
    this.#pairs = pairs
    this.#demand = demand
    this.#start = start
    this.#today = today
    this.#today0 = today()
    this.#supplierOf = supplierOf
  }

  day(day: Day): OrderDay {
    let known = this.#days.get(day)
    if (!known) this.#days.set(day, (known = this.#plan(day)))
    return known
  }

  #plan(day: Day): OrderDay {
    if (day < this.#start || weekday(day) % 6 === 0) return { count: 0, first: 0, shift: 0 }
    const blocks = this.#pairs.count / BLOCK_PAIRS
    const window = Math.floor(day / PERIOD)
    const h = mix(this.#pairs.seed, window, 41)
    const step = 1 + (h % (PERIOD - 1))
    const shift = (h >>> 9) % PERIOD
    let first = 0
    while ((step * first + shift) % PERIOD !== day % PERIOD) first++
    const count = first >= blocks ? 0 : Math.ceil((blocks - first) / PERIOD)
    return { count, first, shift: mix(this.#pairs.seed, day, 42) % 8 }
  }

  count(): number {
    const days = this.#today() - this.#start
    while (this.#before.length <= days) {
      const day = this.#start + this.#before.length - 1
      this.#before.push(this.#before.at(-1)! + this.day(day).count)
    }
    return this.#before[days]! + this.added.length
  }

  /** Number of the m-th order of a day. */
  numberOf(day: Day, m: number): string {
    this.count()
    return String(FIRST_NUMBER + this.#before[day - this.#start]! + m)
  }

  /** The first order of a day with a course, and their number; every eighth order has the same course. */
  ofCourse(day: Day, course: number): { first: number; count: number } {
    const { count, shift } = this.day(day)
    const first = (course - shift + 8) % 8
    return { first, count: first >= count ? 0 : Math.ceil((count - first) / 8) }
  }

  /** The pair on a line of the m-th order of a day. */
  pairOf(day: Day, m: number, line: number): number {
    return (this.day(day).first + m * PERIOD) * BLOCK_PAIRS + line
  }

  /** Days on which orders with these numbers can have receipts, without changes. */
  receiptDays(low: string, high: string | null): [Day, Day] {
    const latest = Math.max(...EVENTS.map(({ after }) => after))
    const to = high === null ? Infinity : this.#dayOf(Number(high)) + latest
    return [this.#dayOf(Number(low)), to]
  }

  /** The day of an order's number, or the first or last day. */
  #dayOf(number: number): Day {
    this.count()
    const index = number - FIRST_NUMBER
    let low = 0
    let high = this.#before.length - 1
    while (low + 1 < high) {
      const middle = (low + high) >> 1
      if (this.#before[middle]! <= index) low = middle
      else high = middle
    }
    return this.#start + low
  }

  /** The quantity that an event moves for an order line, in thousandths of the base unit. */
  moved(day: Day, m: number, line: number, event: Event): number {
    const { quantity, factor } = this.#ordered(day, m, line)
    return part(quantity, event.part) * factor * 1000
  }

  #ordered(day: Day, m: number, line: number) {
    const pair = this.pairOf(day, m, line)
    const unit = this.#pairs.unit(this.#pairs.skuOf(pair))
    const inOrderUnit = unit.order !== '' && (m + line) % 2 === 0
    const factor = inOrderUnit ? unit.factor : 1
    const wanted = (this.#demand.rateMilli(pair) * 45) / 1000 / factor
    const name = inOrderUnit ? unit.order : unit.base
    return { quantity: Math.max(4, Math.ceil(wanted)), factor, unit: name, base: unit.base, pair }
  }

  addedNumber(): string {
    return String(FIRST_ADDED + this.added.length)
  }

  find(number: string): Order | undefined {
    const base = this.count() - this.added.length
    const added = Number(number) - FIRST_ADDED
    if (added >= 0 && added < this.added.length) return this.at(base + added)
    const index = Number(number) - FIRST_NUMBER
    return index >= 0 && index < base ? this.at(index) : undefined
  }

  /** The orders in the order of their numbers. */
  at(index: number): Order {
    const base = this.count() - this.added.length
    const today = this.#today()
    const is = this.#cachedFor
    if (is.index !== index || is.today !== today || is.version !== this.changes.version) {
      const order = index >= base ? this.added[index - base]! : this.#build(index)
      this.#cached = this.changes.applyTo(order)
      this.#cachedFor = { index, today, version: this.changes.version }
    }
    return this.#cached
  }

  #build(index: number): Order {
    const day = this.#dayOf(FIRST_NUMBER + index)
    const m = index - this.#before[day - this.#start]!
    const { shift } = this.day(day)
    const course = (m + shift) % 8
    const created = day >= this.#today0 ? endOf(day) : toMs(day) + 9 * 3_600_000
    const deleted = course === DELETED && day + DELETED_AFTER < this.#today()
    const number = String(FIRST_NUMBER + index)
    const lines: OrderLine[] = []
    for (let line = 0; line < BLOCK_PAIRS; line++) {
      lines.push(this.#line(day, m, line, course, deleted))
    }
    const peculiar = this.#irregularLine(lines[0]!, (m + day) % 6)
    if (peculiar) lines.push(peculiar)
    return {
      number,
      created,
      changed: deleted ? endOf(day + DELETED_AFTER) : created,
      supplier: this.#supplierOf(this.#pairs.skuOf(this.pairOf(day, m, 0))),
      deletion: deleted ? 'L' : '',
      lines,
    }
  }

  #line(day: Day, m: number, line: number, course: number, deleted: boolean) {
    const { quantity, factor, unit, base, pair } = this.#ordered(day, m, line)
    const item = String((line + 1) * 10).padStart(5, '0')
    const happened = eventsOf(course).filter(({ after }) => day + after < this.#today())
    const byEvents = happened.reduce(
      (sum, e) => sum + RECEIPT_SIGNS[e.type]! * part(quantity, e.part),
      0,
    )
    const received = byEvents * 1000
    const isFinal = course === FINAL && happened.length > 0
    const due = DUE[course]!
    const parts: Part[] = due.length > 1 ? ['first', 'second'] : ['all']
    return {
      item,
      sku: this.#pairs.codes[this.#pairs.skuOf(pair)]!,
      plant: this.#pairs.plantCodes[this.#pairs.plantOf(pair)]!,
      unit,
      baseUnit: base,
      factor,
      quantity: quantity * 1000,
      received,
      schedule: due.map((after, i) => ({
        due: day + after,
        quantity: part(quantity, parts[i]!) * 1000,
      })),
      isCompleted: received >= quantity * 1000 || isFinal,
      isFinal,
      deletion: deleted ? ('L' as const) : ('' as const),
      isReturn: false,
      account: '',
    }
  }

  /** An additional line that is not open: deleted, blocked, a return, or for a cost centre. */
  #irregularLine(like: OrderLine, kind: number): OrderLine | null {
    if (kind > 3) return null
    return {
      ...like,
      item: String(ORDER_LINES * 10).padStart(5, '0'),
      schedule: [{ due: like.schedule[0]!.due, quantity: like.quantity }],
      received: 0,
      isCompleted: false,
      deletion: kind === 0 ? 'L' : kind === 1 ? 'S' : '',
      isReturn: kind === 2,
      account: kind === 3 ? 'K' : '',
    }
  }
}
