import { isRate, MAX_FACTOR, MAX_REGION_LENGTH, MAX_UNIT_LENGTH } from '../records.ts'
import { BadValue, codeText, type Subject } from '../rows/bad-value.ts'
import { dayOf } from '../rows/days.ts'
import { toMoney } from '../rows/decimals.ts'
import {
  codeOf,
  countryOf,
  currencyOf,
  demandDayOf,
  emptyValue,
  exactOf,
  MAX_DAYS,
  nameOf,
  numberOf,
  timeZoneOf,
  unitsOf,
  wholeOf,
} from '../rows/values.ts'
import type { Cells } from './dialects/dialect.ts'

const FLAGS = new Map([
  ...['t', 'true', '1', 'y', 'Y', '\u0001'].map((text) => [text, true] as const),
  ...['f', 'false', '0', 'n', 'N', '\u0000'].map((text) => [text, false] as const),
])

/** Midnight, or another time of a day. */
const DAY_WITH_TIME = /^(\d{4}-\d\d-\d\d)[ T]\d/

/**
 * Reads the cells of a row by column; throws `BadValue` for an invalid one. `…OrNull` gives null for an empty cell, and
 * for a column that the view lacks.
 */
export class Row {
  #cells: Cells = []
  readonly #columns: ReadonlyMap<string, number>

  constructor(columns: readonly string[]) {
    this.#columns = new Map(columns.map((name, at) => [name, at]))
  }

  /** Sets the row that the methods read: one object is used for all rows of a read. */
  moveTo(cells: Cells): void {
    this.#cells = cells
  }

  about(): Subject {
    return { sku: codeText(this.text('sku')), location: codeText(this.text('location')) }
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

  code(column: string, maxLength?: number): string {
    return codeOf(this.text(column), column, maxLength)
  }

  codeOrNull(column: string, maxLength?: number): string | null {
    return this.text(column) ? this.code(column, maxLength) : null
  }

  /** Empty for all. */
  codeOrAll(column: string): string {
    return this.codeOrNull(column) ?? ''
  }

  nameOrNull(column: string): string | null {
    return nameOf(this.text(column))
  }

  unitOrNull(column: string): string | null {
    return this.codeOrNull(column, MAX_UNIT_LENGTH)
  }

  countryOrNull(column: string): string | null {
    return countryOf(this.text(column), column)
  }

  regionOrNull(column: string): string | null {
    return this.codeOrNull(column, MAX_REGION_LENGTH)
  }

  timeZoneOrNull(column: string): string | null {
    return timeZoneOf(this.text(column), column)
  }

  currency(column: string): string {
    const currency = this.currencyOrNull(column)
    if (currency === null) throw emptyValue(column)
    return currency
  }

  currencyOrNull(column: string): string | null {
    return currencyOf(this.text(column), column)
  }

  units(column: string): number {
    const units = this.unitsOrNull(column)
    if (units === null) throw emptyValue(column)
    return units
  }

  unitsOrNull(column: string): number | null {
    const text = this.text(column)
    return text ? numberOf(unitsOf(text, column), column) : null
  }

  /** 0 is none. */
  positiveOrNull(column: string): number | null {
    return this.unitsOrNull(column) || null
  }

  /** May be negative. */
  quantity(column: string): number {
    const text = this.text(column)
    if (!text) throw emptyValue(column)
    return numberOf(exactOf(text, column), column)
  }

  daysOrNull(column: string, least = 0): number | null {
    const text = this.text(column)
    if (!text) return null
    const days = wholeOf(text, column)
    if (days < least || days > MAX_DAYS) {
      throw new BadValue(column, `must be a whole number of days from ${least} to ${MAX_DAYS}`)
    }
    return days
  }

  money(column: string): string {
    const money = this.moneyOrNull(column)
    if (money === null) throw emptyValue(column)
    return money
  }

  moneyOrNull(column: string): string | null {
    const text = this.text(column)
    return text ? toMoney(unitsOf(text, column)) : null
  }

  rate(column: string): string {
    const text = this.text(column)
    if (!text) throw emptyValue(column)
    if (isRate(text)) return text
    throw new BadValue(
      column,
      'must be a number above 0, with at most 12 digits on either side of the point',
    )
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
    const flag = FLAGS.get(text)
    if (flag === undefined) throw new BadValue(column, 'must be true or false')
    return flag
  }

  day(column: string): string {
    const day = this.dayOrNull(column)
    if (day === null) throw emptyValue(column)
    return day
  }

  demandDay(column: string): string {
    return demandDayOf(this.dayOrNull(column), column)
  }

  dayOrNull(column: string): string | null {
    const text = this.text(column)
    // What MySQL stores of a day that is none.
    if (!text || text.startsWith('0000-00-00')) return null
    return dayOf(DAY_WITH_TIME.exec(text)?.[1] ?? text, column)
  }

  oneOf<T extends string>(column: string, allowed: readonly T[]): T {
    const text = this.text(column)
    if (!text) throw emptyValue(column)
    const found = allowed.find((each) => each === text)
    if (!found) throw new BadValue(column, `must be one of ${allowed.join(', ')}`)
    return found
  }
}
