import { BadValue, codeText, type Subject } from '../rows/bad-value.ts'
import {
  codeOf,
  currencyOf,
  demandDayOf,
  emptyValue,
  MAX_DAYS,
  MAX_UNITS,
  nameOf,
} from '../rows/values.ts'
import { dayOf, decimalOf, flagOf, numberOf } from './cell-formats.ts'
import { isRate } from '../records.ts'
import type { Format } from './options.ts'

const MAX_UNIT_LENGTH = 20

/**
 * Reads the cells of a row by column name; throws `BadValue` for an invalid cell.
 * `…OrNull` gives null for an empty cell and for a column that the
 * file lacks.
 */
export class Row {
  #cells: readonly string[] = []
  readonly #columns: ReadonlyMap<string, number>
  readonly #format: Format

  constructor(columns: ReadonlyMap<string, number>, format: Format) {
    this.#columns = columns
    this.#format = format
  }

  /** Sets the row that the methods read: one object is reused for all rows of a file. */
  moveTo(cells: readonly string[]): void {
    this.#cells = cells
  }

  /** The pair that the row is about. */
  about(): { about?: Subject } {
    const sku = codeText(this.#text('sku'))
    return sku ? { about: { sku, location: codeText(this.#text('location')) } } : {}
  }

  code(column: string): string {
    return codeOf(this.#text(column), column)
  }

  codeOrNull(column: string): string | null {
    const text = this.#text(column)
    return text ? codeOf(text, column) : null
  }

  nameOrNull(column: string): string | null {
    return nameOf(this.#text(column))
  }

  unitOrNull(column: string): string | null {
    const text = this.#text(column)
    if (text.length > MAX_UNIT_LENGTH) {
      throw new BadValue(column, `must have at most ${MAX_UNIT_LENGTH} characters`)
    }
    return text || null
  }

  units(column: string): number {
    const units = this.unitsOrNull(column)
    if (units === null) throw emptyValue(column)
    return units
  }

  unitsOrNull(column: string): number | null {
    return this.#number(column, MAX_UNITS)
  }

  /** A lot size of 0 means "any quantity", like an empty cell. */
  lotSizeOrNull(column: string): number | null {
    return this.unitsOrNull(column) || null
  }

  priceOrNull(column: string): number | null {
    return this.#number(column, Number.MAX_VALUE)
  }

  daysOrNull(column: string, least = 0): number | null {
    const days = this.#number(column, MAX_DAYS)
    if (days !== null && (days < least || !Number.isInteger(days))) {
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
    const text = this.#text(column)
    if (!text) return null
    const money = decimalOf(text, this.#format.decimal)
    if (money === null || !/^\d{1,15}(\.|$)/.test(money)) throw this.#notANumber(column)
    return money
  }

  rate(column: string): string {
    const text = this.#text(column)
    if (!text) throw emptyValue(column)
    const rate = text.replace(this.#format.decimal, '.')
    if (isRate(rate)) return rate
    throw new BadValue(
      column,
      `must be a number above 0, with "${this.#format.decimal}" as decimal sign and at most 12 digits on either side`,
    )
  }

  currency(column: string): string {
    const code = this.currencyOrNull(column)
    if (code === null) throw emptyValue(column)
    return code
  }

  currencyOrNull(column: string): string | null {
    return currencyOf(this.#text(column).toUpperCase(), column)
  }

  demandDay(column: string): string {
    return demandDayOf(this.dayOrNull(column), column)
  }

  day(column: string): string {
    const day = this.dayOrNull(column)
    if (day === null) throw emptyValue(column)
    return day
  }

  dayOrNull(column: string): string | null {
    const text = this.#text(column)
    if (!text) return null
    const day = dayOf(text, this.#format.date_format)
    if (day === null || day < '1900-01-01') {
      throw new BadValue(column, `must be a calendar day as ${this.#format.date_format}`)
    }
    return day
  }

  flagOrNull(column: string): boolean | null {
    const text = this.#text(column)
    if (!text) return null
    const flag = flagOf(text)
    if (flag === null) throw new BadValue(column, 'must be 0, 1, true, false or empty')
    return flag
  }

  #text(column: string): string {
    const index = this.#columns.get(column)
    return index === undefined ? '' : (this.#cells[index] ?? '').trim()
  }

  #number(column: string, most: number): number | null {
    const text = this.#text(column)
    if (!text) return null
    const value = numberOf(text, this.#format.decimal)
    if (value === null || value < 0 || value > most) throw this.#notANumber(column)
    return value
  }

  #notANumber(column: string): BadValue {
    const sign = this.#format.decimal
    const rule = `must be a number, not negative, with "${sign}" as decimal sign and no thousands separator`
    return new BadValue(column, rule)
  }
}
