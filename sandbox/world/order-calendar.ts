// Which orders are made on which day. An order is for the pairs of one block of SKUs; each block has one in each
// window of PERIOD days, unless its day is at a weekend.
import { COURSES } from './courses.ts'
import { weekday } from './days.ts'
import { mix } from './hash.ts'
import { BLOCK_PAIRS } from './pairs.ts'
import type { Day } from './days.ts'
import type { Pairs } from './pairs.ts'

/** A prime number. */
const PERIOD = 59
const FIRST_NUMBER = 4_500_000_000

interface OrderDay {
  count: number
  /** The first order's block of SKUs. */
  first: number
  /** Random shift of the courses. */
  shift: number
}

export class OrderCalendar {
  readonly #pairs: Pairs
  readonly #start: Day
  readonly #today: () => Day
  readonly #days = new Map<Day, OrderDay>()
  /** Number of orders before the i-th day of history. */
  readonly #before: number[] = [0]

  constructor(pairs: Pairs, start: Day, today: () => Day) {
    this.#pairs = pairs
    this.#start = start
    this.#today = today
  }

  #day(day: Day): OrderDay {
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
    return { count, first, shift: mix(this.#pairs.seed, day, 42) % COURSES.length }
  }

  count(): number {
    const days = this.#today() - this.#start
    while (this.#before.length <= days) {
      const day = this.#start + this.#before.length - 1
      this.#before.push(this.#before.at(-1)! + this.#day(day).count)
    }
    return this.#before[days]!
  }

  /** Number of the m-th order of a day. */
  numberOf(day: Day, m: number): string {
    this.count()
    return String(FIRST_NUMBER + this.#before[day - this.#start]! + m)
  }

  numberAt(index: number): string {
    return String(FIRST_NUMBER + index)
  }

  /** Index of an order's number, which may be out of range. */
  indexOf(number: string): number {
    return Number(number) - FIRST_NUMBER
  }

  /** The order of an index: the m-th of a day. */
  placeOf(index: number): { day: Day; m: number; course: number } {
    const day = this.dayOf(index)
    const m = index - this.#before[day - this.#start]!
    return { day, m, course: (m + this.#day(day).shift) % COURSES.length }
  }

  /** The day of an order's index, or the first or last day. */
  dayOf(index: number): Day {
    this.count()
    let low = 0
    let high = this.#before.length - 1
    while (low + 1 < high) {
      const middle = (low + high) >> 1
      if (this.#before[middle]! <= index) low = middle
      else high = middle
    }
    return this.#start + low
  }

  /** The first order of a day with a course, and their number. */
  ofCourse(day: Day, course: number): { first: number; count: number } {
    const { count, shift } = this.#day(day)
    const first = (course - shift + COURSES.length) % COURSES.length
    return { first, count: first >= count ? 0 : Math.ceil((count - first) / COURSES.length) }
  }

  /** The pair on a line of the m-th order of a day. */
  pairOf(day: Day, m: number, line: number): number {
    return (this.#day(day).first + m * PERIOD) * BLOCK_PAIRS + line
  }
}
