// Computed sales orders. They and the goods issues are made apart: an order that is delivered has no delivery of its own.
import { mix } from './hash.ts'
import type { Day } from './days.ts'
import type { Pairs } from './pairs.ts'

/** Days of orders, even where the history is shorter. */
const LEAST_DAYS = 60
/** Days after which what is late is delivered after all; one of these items in RARITY is forgotten for ever. */
const LATE_DAYS = 25
const RARITY = 64
const FIRST_NUMBER = 1_000_000_000
/** Days are counted from 1970; numbers begin with this one. */
const FIRST_DAY = 10_000
export const SALES_ITEMS = 2
export const SALES_LINES = 2

export interface SalesLine {
  /** What the customer asked for, and when. */
  quantity: number
  requested: Day
  confirmed: Day
  delivered: number
}

/** Quantities are in thousandths of the sales unit. */
export interface SalesItem {
  pair: number
  unit: string
  lines: SalesLine[]
  /** Blank where it is not rejected. */
  rejection: string
  /** A: nothing is delivered, B: a part, C: all; blank: it is not delivered at all, as a service. */
  status: '' | 'A' | 'B' | 'C'
}

export interface SalesOrder {
  number: string
  created: Day
}

/** What becomes of an item once its day is past. */
const COURSES = [
  'delivered',
  'delivered',
  'delivered',
  'late',
  'twice',
  'rejected',
  'part',
  'service',
] as const

export class SalesOrders {
  readonly #pairs: Pairs
  readonly #today: () => Day
  readonly #perDay: number
  readonly #first: Day

  constructor(pairs: Pairs, start: Day, today: () => Day) {
    this.#pairs = pairs
    this.#today = today
    this.#first = Math.min(start, today() - LEAST_DAYS)
    this.#perDay = Math.max(2, Math.ceil(pairs.count / 100))
  }

  count(): number {
    return (this.#today() - this.#first) * this.#perDay
  }

  /** Orders are in the order of their numbers. */
  at(index: number): SalesOrder {
    const created = this.#first + Math.floor(index / this.#perDay)
    const number = FIRST_NUMBER + (created - FIRST_DAY) * this.#perDay + (index % this.#perDay)
    return { number: String(number), created }
  }

  itemOf({ number, created }: SalesOrder, item: number): SalesItem {
    const h = mix(this.#pairs.seed, Number(number), item, 81)
    const pair = h % this.#pairs.count
    const { base, order } = this.#pairs.unit(this.#pairs.skuOf(pair))
    const own = mix(this.#pairs.seed, Number(number), item, 82)
    const quantity = (1 + (own % 12)) * 1000
    const requested = created + 1 + ((own >>> 4) % 30)
    const course = COURSES[(own >>> 9) % COURSES.length]!
    const lines = this.#lines(course, quantity, requested, (own >>> 12) % RARITY === 0)
    const delivered = lines.reduce((sum, line) => sum + line.delivered, 0)
    return {
      ...{ pair, lines, unit: order && own & 1 ? order : base },
      rejection: course === 'rejected' ? '10' : '',
      status: course === 'service' ? '' : delivered === 0 ? 'A' : delivered < quantity ? 'B' : 'C',
    }
  }

  #lines(
    course: (typeof COURSES)[number],
    quantity: number,
    requested: Day,
    isForgotten: boolean,
  ): SalesLine[] {
    const isPast = (day: Day) => day < this.#today()
    const isLate = !isForgotten && isPast(requested + LATE_DAYS)
    const line = (wanted: number, day: Day, delivered: number): SalesLine => ({
      ...{ quantity: wanted, requested: day, confirmed: day },
      delivered: isPast(day) ? delivered : 0,
    })
    const half = Math.ceil(quantity / 2000) * 1000
    switch (course) {
      case 'delivered':
        return [line(quantity, requested, quantity)]
      case 'twice':
        return [
          line(half, requested, half),
          line(quantity - half, requested + 7, isLate ? quantity - half : 0),
        ]
      case 'part': {
        // Confirmed for a later day: a second line, without a quantity that was asked for, is delivered in part.
        const later = requested + 5
        const some = Math.ceil(half / 2000) * 1000
        return [
          line(quantity, requested, 0),
          {
            ...line(0, requested, 0),
            confirmed: later,
            delivered: isLate ? quantity : isPast(later) ? some : 0,
          },
        ]
      }
      case 'late':
        return [line(quantity, requested, isLate ? quantity : 0)]
      default:
        return [line(quantity, requested, 0)]
    }
  }
}
