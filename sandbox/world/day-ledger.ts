// The material documents of a day, in groups of the same kind, in the order of their numbers.
import { mix } from './hash.ts'
import { EVENTS } from './courses.ts'
import type { Day } from './days.ts'
import type { Demand } from './demand.ts'
import type { OrderCalendar } from './order-calendar.ts'

/** Lines of a goods issue document. */
export const ISSUE_LINES = 10
/** Of the goods issues, one in 97 is cancelled after each of these numbers of days. */
export const CANCEL_LAGS = [0, 1, 9, 35]
const CANCEL_MOD = 97
/** One in 19 returns is cancelled after two days. */
export const RETURN_CANCEL_LAG = 2
const RETURN_CANCEL_MOD = 19

export type Group =
  | { kind: 'issue' | 'return' | 'transfer'; docs: number; items: number }
  | { kind: 'cancel'; docs: number; items: number; of: Day; first: number; step: number }
  | { kind: 'cancelReturn'; docs: number; items: number; of: Day; first: number; step: number }
  | { kind: 'receipt'; docs: number; items: number; event: number; of: Day; first: number }

export interface DayLedger {
  groups: Group[]
  docs: number
  items: number
}

export class DayLedgers {
  readonly #seed: number
  readonly #demand: Demand
  readonly #orders: OrderCalendar
  readonly #start: Day

  constructor(seed: number, demand: Demand, orders: OrderCalendar, start: Day) {
    this.#seed = seed
    this.#demand = demand
    this.#orders = orders
    this.#start = start
  }

  issues(day: Day): number {
    return Math.ceil(this.#lines(day) / ISSUE_LINES)
  }

  #lines(day: Day): number {
    return day < this.#start ? 0 : this.#demand.day(day).lines
  }

  returns(day: Day): number {
    return this.#rarely(day, 150, 61)
  }

  transfers(day: Day): number {
    return this.#rarely(day, 200, 62)
  }

  #rarely(day: Day, each: number, salt: number): number {
    return Math.floor((this.#lines(day) + (mix(this.#seed, day, salt) % each)) / each)
  }

  /** Days after which a goods issue is cancelled; null for none. Only documents with all lines are cancelled. */
  cancelLag(day: Day, doc: number): number | null {
    if ((doc + 1) * ISSUE_LINES > this.#lines(day)) return null
    const rest = (doc + this.#shift(day)) % CANCEL_MOD
    return rest % 10 === 3 && rest < 40 ? CANCEL_LAGS[(rest - 3) / 10]! : null
  }

  #shift(day: Day): number {
    return mix(this.#seed, day, 63) % CANCEL_MOD
  }

  isReturnCancelled(day: Day, doc: number): boolean {
    return (doc + (mix(this.#seed, day, 64) % RETURN_CANCEL_MOD)) % RETURN_CANCEL_MOD === 5
  }

  /** Goods issues, returns, transfers and cancellations of a day. */
  issuing(day: Day): DayLedger {
    const lines = this.#lines(day)
    const returns = this.returns(day)
    const transfers = this.transfers(day)
    return sum([
      { kind: 'issue', docs: Math.ceil(lines / ISSUE_LINES), items: lines },
      { kind: 'return', docs: returns, items: returns },
      { kind: 'transfer', docs: transfers, items: transfers * 2 },
      ...CANCEL_LAGS.map((lag, i) => this.#cancels(day - lag, i * 10 + 3)),
      this.#cancelledReturns(day - RETURN_CANCEL_LAG),
    ])
  }

  #cancels(of: Day, rest: number): Group {
    const whole = Math.floor(this.#lines(of) / ISSUE_LINES)
    const first = (rest - this.#shift(of) + CANCEL_MOD) % CANCEL_MOD
    const docs = first >= whole ? 0 : Math.ceil((whole - first) / CANCEL_MOD)
    return { kind: 'cancel', docs, items: docs * ISSUE_LINES, of, first, step: CANCEL_MOD }
  }

  #cancelledReturns(of: Day): Group {
    const returns = this.returns(of)
    const shift = mix(this.#seed, of, 64) % RETURN_CANCEL_MOD
    const first = (5 - shift + RETURN_CANCEL_MOD) % RETURN_CANCEL_MOD
    const docs = first >= returns ? 0 : Math.ceil((returns - first) / RETURN_CANCEL_MOD)
    return { kind: 'cancelReturn', docs, items: docs, of, first, step: RETURN_CANCEL_MOD }
  }

  /** Goods receipts, their cancellations and returns to the supplier of a day. */
  receiving(day: Day): DayLedger {
    return sum(
      EVENTS.map(({ course, after, lines }, event) => {
        const of = day - after
        const { first, count } = this.#orders.ofCourse(of, course)
        return { kind: 'receipt', docs: count, items: count * lines, event, of, first }
      }),
    )
  }
}

function sum(groups: Group[]): DayLedger {
  let docs = 0
  let items = 0
  for (const group of groups) {
    docs += group.docs
    items += group.items
  }
  return { groups, docs, items }
}
