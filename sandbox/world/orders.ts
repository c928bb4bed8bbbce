// Purchase orders: computed ones, each with one course of events for all lines, and those added by changes.
import { ComputedOrder } from './computed-order.ts'
import { COURSES, EVENTS, eventsOf, part } from './courses.ts'
import { endOf, toMs } from './days.ts'
import { irregularLine } from './irregular-lines.ts'
import { RECEIPT_SIGNS } from './movement-types.ts'
import { OrderCalendar } from './order-calendar.ts'
import { OrderChanges } from './order-changes.ts'
import { BLOCK_PAIRS } from './pairs.ts'
import type { Course, Event, Part } from './courses.ts'
import type { Day } from './days.ts'
import type { Demand } from './demand.ts'
import type { Order, OrderLine } from './order.ts'
import type { Pairs } from './pairs.ts'

const FIRST_ADDED = 4_600_000_000
/** Most lines of an order: a block's pairs and one irregular line. */
export const ORDER_LINES = BLOCK_PAIRS + 1
/** Most schedule lines of an order line. */
export const SCHEDULE_LINES = 4
const LATEST = Math.max(...EVENTS.map(({ after }) => after))

export class Orders {
  readonly calendar: OrderCalendar
  readonly #pairs: Pairs
  readonly #demand: Demand
  readonly #today: () => Day
  readonly #today0: Day
  readonly #supplierOf: (sku: number) => string
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
    this.calendar = new OrderCalendar(pairs, start, today)
    this.#pairs = pairs
    this.#demand = demand
    this.#today = today
    this.#today0 = today()
    this.#supplierOf = supplierOf
  }

  count(): number {
    return this.calendar.count() + this.added.length
  }

  /** Days on which orders with these numbers can have receipts, without changes. */
  receiptDays(low: string, high: string | null): [Day, Day] {
    const { calendar } = this
    const to = high === null ? Infinity : calendar.dayOf(calendar.indexOf(high)) + LATEST
    return [calendar.dayOf(calendar.indexOf(low)), to]
  }

  /** The quantity that an event moves for an order line, in thousandths of the base unit. */
  moved(day: Day, m: number, line: number, event: Event): number {
    const { quantity, factor } = this.#ordered(day, m, line)
    return part(quantity, event.part) * factor * 1000
  }

  #ordered(day: Day, m: number, line: number) {
    const pair = this.calendar.pairOf(day, m, line)
    const unit = this.#pairs.unit(this.#pairs.skuOf(pair))
    const inOrderUnit = unit.order !== '' && (m + line) % 2 === 0
    const factor = inOrderUnit ? unit.factor : 1
    const wanted = (this.#demand.rateMilli(pair) * 45) / 1000 / factor
    const name = inOrderUnit ? unit.order : unit.base
    return { quantity: Math.max(4, Math.ceil(wanted)), factor, unit: name, base: unit.base, pair }
  }

  /** The number of the order that `at` gives. */
  numberAt(index: number): string {
    const base = this.calendar.count()
    return index < base ? this.calendar.numberAt(index) : String(FIRST_ADDED + index - base)
  }

  addedNumber(): string {
    return String(FIRST_ADDED + this.added.length)
  }

  find(number: string): Order | undefined {
    const base = this.calendar.count()
    const added = Number(number) - FIRST_ADDED
    if (added >= 0 && added < this.added.length) return this.at(base + added)
    const index = this.calendar.indexOf(number)
    return index >= 0 && index < base ? this.at(index) : undefined
  }

  /** The orders in the order of their numbers. */
  at(index: number): Order {
    const base = this.calendar.count()
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
    const { day, m, course: number } = this.calendar.placeOf(index)
    const course = COURSES[number]!
    const today = this.#today()
    const isPast = (after: number | undefined) => after !== undefined && day + after < today
    const isDeleted = isPast(course.deletedAfter)
    const touched = [course.deletedAfter, course.closedAfter, course.lastLine?.after]
      .concat(course.postponed?.after)
      .filter((after) => after !== undefined && isPast(after)) as number[]
    const created = day >= this.#today0 ? endOf(day) : toMs(day) + 9 * 3_600_000
    const header = {
      number: this.calendar.numberAt(index),
      created,
      changed: touched.length > 0 ? endOf(day + Math.max(...touched)) : created,
      supplier: this.#supplierOf(this.#pairs.skuOf(this.calendar.pairOf(day, m, 0))),
      deletion: isDeleted ? ('L' as const) : ('' as const),
    }
    return new ComputedOrder(header, () => this.#lines(day, m, number, isPast))
  }

  #lines(day: Day, m: number, course: number, isPast: (after?: number) => boolean): OrderLine[] {
    const happened = eventsOf(course).filter(({ after }) => isPast(after))
    const lines: OrderLine[] = []
    for (let line = 0; line < BLOCK_PAIRS; line++) {
      lines.push(this.#line(day, m, line, COURSES[course]!, happened, isPast))
    }
    const irregular = irregularLine(this.#pairs.seed, day, m, lines[0]!, isPast)
    if (irregular) lines.push({ ...irregular, item: String(ORDER_LINES * 10).padStart(5, '0') })
    return lines
  }

  #line(
    day: Day,
    m: number,
    line: number,
    course: Course,
    happened: Event[],
    isPast: (after?: number) => boolean,
  ): OrderLine {
    const { quantity, factor, unit, base, pair } = this.#ordered(day, m, line)
    const sku = this.#pairs.skuOf(pair)
    const mine = happened.filter(({ lines }) => line < lines)
    const received = mine.reduce((sum, event) => sum + signed(event, quantity), 0)
    const isFinal = (course.isFinal === true && mine.length > 0) || isPast(course.closedAfter)
    const { postponed, lastLine } = course
    const due = postponed && isPast(postponed.after) ? postponed.due : course.due
    const parts: Part[] = due.length > 1 ? ['first', 'second'] : ['all']
    const isMarked = lastLine && line === BLOCK_PAIRS - 1 && isPast(lastLine.after)
    return {
      item: String((line + 1) * 10).padStart(5, '0'),
      sku: this.#pairs.codes[sku]!,
      plant: this.#pairs.plantCodes[this.#pairs.plantOf(pair)]!,
      unit,
      baseUnit: base,
      factor,
      quantity: quantity * 1000,
      received: received * 1000,
      schedule: due.map((after, i) => ({
        due: day + after,
        quantity: part(quantity, parts[i]!) * 1000,
      })),
      isCompleted: received >= quantity || isFinal,
      isFinal,
      deletion: isPast(course.deletedAfter) ? 'L' : isMarked ? lastLine.deletion : '',
      isReturn: false,
      account: '',
    }
  }
}

const signed = (event: Event, quantity: number) =>
  RECEIPT_SIGNS[event.type]! * part(quantity, event.part)
