import { isNoDay } from '../../tables/dates.ts'
import { FAULT_OF_FLAG, flagOf } from '../../tables/flags.ts'
import { isRate, MAX_FACTOR } from '../records.ts'
import { Columns } from '../rows/columns.ts'
import { toMoney } from '../rows/decimals.ts'
import { memoize } from '../rows/memoize.ts'
import {
  BadValue,
  dayOf,
  emptyValue,
  exactOf,
  MAX_DAYS,
  numberOf,
  unitsOf,
  wholeOf,
} from '../rows/values.ts'
import type { Cells, ColumnSpellings } from './dialects/dialect.ts'

/** As the databases write a boolean, and a bit. */
const FLAGS = new Map([
  ...['t', '\u0001'].map((text) => [text, true] as const),
  ...['f', '\u0000'].map((text) => [text, false] as const),
])

/** Midnight, or another time of a day. */
const DAY_WITH_TIME = /^(\d{4}-\d\d-\d\d)[ T]\d/

/** A time with a zone, as PostgreSQL writes it: the session's zone is UTC. */
const INSTANT = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/
/** What stands for a day, and for no time of it. */
const MIDNIGHT = / 00:00:00\+00$/

/** @returns the day on which an instant is, in a time zone */
function localDays(timeZone: string): (instant: string) => string {
  // The Swedish way to write a day is ISO's.
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone })
  const ofMinute = memoize((minute: unknown) =>
    format.format(Date.parse(`${String(minute).replace(' ', 'T')}Z`)),
  )
  return (instant) => ofMinute(instant.slice(0, 'YYYY-MM-DD HH:MM'.length))
}

const EXPONENT = /^-?\d(\.\d+)?e[+-]?\d{1,3}$/i

/** Decimal text of a binary fraction, which is written as 1e-05 where it is small, and of text such as .5. */
function decimalText(text: string): string {
  if (EXPONENT.test(text)) return Number(text).toFixed(14)
  return /^-?\./.test(text) ? text.replace('.', '0.') : text
}

/** Reads the cells of a row by column. */
export class Row extends Columns {
  protected readonly isCaseless = false
  #cells: Cells = []
  readonly #columns: ReadonlyMap<string, number>
  readonly #localDay: ((instant: string) => string) | null

  /** @param timeZone in which a time with a zone is on a day; none is UTC */
  constructor(columns: ColumnSpellings, timeZone: string | undefined) {
    super()
    this.#columns = new Map([...columns.keys()].map((name, at) => [name, at]))
    this.#localDay = timeZone ? localDays(timeZone) : null
  }

  /** Sets the row that the methods read: one object is used for all rows of a read. */
  moveTo(cells: Cells): void {
    this.#cells = cells
  }

  /** For the excerpt of a rejected row. */
  toJSON(): Record<string, string | null> {
    return Object.fromEntries(
      [...this.#columns].map(([name, at]) => [name, this.#cells[at] ?? null]),
    )
  }

  /** As the database writes it, without the spaces that fill a column of type `char`; empty for none. */
  text(column: string): string {
    const at = this.#columns.get(column)
    const text = at === undefined ? '' : (this.#cells[at] ?? '')
    return text.endsWith(' ') ? text.trimEnd() : text
  }

  /** Without the spaces before it, which `to_char` puts before a number. */
  #number(column: string): string {
    return decimalText(this.text(column).trimStart())
  }

  unitsOrNull(column: string): number | null {
    const text = this.#number(column)
    return text ? numberOf(unitsOf(text, column), column) : null
  }

  priceOrNull(column: string): number | null {
    return this.unitsOrNull(column)
  }

  /** May be negative. */
  quantity(column: string): number {
    const text = this.#number(column)
    if (!text) throw emptyValue(column)
    return numberOf(exactOf(text, column), column)
  }

  daysOrNull(column: string, least = 0): number | null {
    const text = this.#number(column)
    if (!text) return null
    const days = wholeOf(text, column)
    if (days < least || days > MAX_DAYS) {
      throw new BadValue(column, `must be a whole number of days from ${least} to ${MAX_DAYS}`)
    }
    return days
  }

  moneyOrNull(column: string): string | null {
    const text = this.#number(column)
    return text ? toMoney(unitsOf(text, column)) : null
  }

  rate(column: string): string {
    const text = this.text(column)
    if (!text) throw emptyValue(column)
    if (isRate(text)) return text
    const rule = 'must be a number above 0, with at most 12 digits on either side of the point'
    throw new BadValue(column, rule)
  }

  factorOrNull(column: string): number | null {
    const factor = this.unitsOrNull(column)
    if (factor !== null && factor > MAX_FACTOR)
      throw new BadValue(column, `must be at most ${MAX_FACTOR}`)
    return factor
  }

  flagOrNull(column: string): boolean | null {
    const text = this.text(column)
    if (!text) return null
    const flag = FLAGS.get(text) ?? flagOf(text)
    if (flag === undefined) throw new BadValue(column, FAULT_OF_FLAG)
    return flag
  }

  dayOrNull(column: string): string | null {
    const text = this.text(column).trimStart()
    if (isNoDay(text)) return null
    if (this.#localDay && INSTANT.test(text) && !MIDNIGHT.test(text)) return this.#localDay(text)
    return dayOf(DAY_WITH_TIME.exec(text)?.[1] ?? text, column)
  }

  protected codeText(column: string): string {
    return this.text(column)
  }
}
