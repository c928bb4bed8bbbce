import { BadValue, codeText, type Subject } from '../rows/bad-value.ts'
import {
  codeOf,
  countryOf,
  currencyOf,
  demandDayOf,
  emptyValue,
  MAX_DAYS,
  MAX_UNITS,
  nameOf,
  timeZoneOf,
} from '../rows/values.ts'
import { isRate, MAX_FACTOR, MAX_REGION_LENGTH } from '../records.ts'
import { codeIn, faultOfCode } from '../../tables/codes.ts'
import { faultOfDate, monthOf } from '../../tables/dates.ts'
import { FAULT_OF_FLAG, flagOf } from '../../tables/flags.ts'
import type { Formats } from '../../tables/formats.ts'
import { faultOfSigned, plainNumberOf } from '../../tables/numbers.ts'

const MAX_UNIT_LENGTH = 20

/** A plain number, not negative; without an exponent, because amounts are decimal text. */
const MONEY = /^\+?(\d{1,15}(\.\d*)?|\.\d+)$/

/**
 * Reads the cells of a row by column name; throws `BadValue` for an invalid cell.
 * `…OrNull` gives null for an empty cell and for a column that the
 * file lacks.
 */
export class Row {
  #cells: readonly string[] = []
  readonly #columns: ReadonlyMap<string, number>
  readonly #formats: Formats

  constructor(columns: ReadonlyMap<string, number>, formats: Formats) {
    this.#columns = columns
    this.#formats = formats
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

  /** Whether the cell says anything. */
  has(column: string): boolean {
    return this.#text(column) !== ''
  }

  oneOf<T extends string>(column: string, allowed: readonly T[]): T {
    const text = this.#text(column).toLowerCase()
    if (!text) throw emptyValue(column)
    const found = allowed.find((each) => each === text)
    if (!found) throw new BadValue(column, `must be one of ${allowed.join(', ')}`)
    return found
  }

  code(column: string): string {
    return codeOf(this.#code(column), column)
  }

  codeOrNull(column: string): string | null {
    const code = this.#code(column)
    return code ? codeOf(code, column) : null
  }

  nameOrNull(column: string): string | null {
    return nameOf(this.#text(column))
  }

  countryOrNull(column: string): string | null {
    return countryOf(this.#text(column).toUpperCase(), column)
  }

  regionOrNull(column: string): string | null {
    const text = this.#text(column).toUpperCase()
    return text ? codeOf(text, column, MAX_REGION_LENGTH) : null
  }

  timeZoneOrNull(column: string): string | null {
    return timeZoneOf(this.#text(column), column)
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

  factorOrNull(column: string): number | null {
    const factor = this.#number(column, Number.MAX_VALUE)
    if (factor !== null && factor > MAX_FACTOR)
      throw new BadValue(column, `must be at most ${MAX_FACTOR}: 1.5 stands for half as much again`)
    return factor
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
    const plain = this.#formats.number(column, this.#cell(column))
    if (plain === null || !MONEY.test(plain)) throw this.#notANumber(column)
    const [whole = '', fraction = ''] = plain.replace('+', '').split('.')
    if (fraction.length > 4) return Number(plain).toFixed(4)
    return (whole || '0') + (fraction && `.${fraction}`)
  }

  rate(column: string): string {
    const text = this.#text(column)
    if (!text) throw emptyValue(column)
    const rate = this.#formats.number(column, this.#cell(column))
    if (rate !== null && isRate(rate)) return rate
    const rule =
      'must be a number above 0, with at most 12 digits on either side of the decimal sign'
    throw new BadValue(column, rule)
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
    const day = this.#formats.day(column, this.#cell(column))
    if (day !== null) return day
    const format = this.#formats.dateFormatOf(column)
    const rule = format ? `must be a calendar day as ${format}` : faultOfDate(text)
    throw new BadValue(column, `${shown(text)} ${rule}`)
  }

  /** First and last day of a month. */
  month(column: string): { firstDay: string; lastDay: string } {
    const text = this.#text(column)
    if (!text) throw emptyValue(column)
    const month = monthOf(text)
    if (month === null) throw new BadValue(column, `${shown(text)} must be a month, as 2026-12`)
    const firstDay = demandDayOf(`${month}-01`, column)
    const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0))
    return { firstDay, lastDay: last.toISOString().slice(0, 10) }
  }

  flagOrNull(column: string): boolean | null {
    const text = this.#text(column)
    if (!text) return null
    const flag = flagOf(text)
    if (flag === undefined) throw new BadValue(column, FAULT_OF_FLAG)
    return flag
  }

  #text(column: string): string {
    return this.#cell(column).trim()
  }

  #code(column: string): string {
    const cell = this.#cell(column)
    const fault = faultOfCode(cell)
    if (fault) throw new BadValue(column, fault)
    return codeIn(cell)
  }

  #cell(column: string): string {
    const index = this.#columns.get(column)
    return index === undefined ? '' : (this.#cells[index] ?? '')
  }

  #number(column: string, most: number): number | null {
    const text = this.#text(column)
    if (!text) return null
    const plain = this.#formats.number(column, this.#cell(column))
    // Adding 0 makes -0 a 0.
    const value = plain === null ? NaN : Number(plain) + 0
    if (!(value >= 0 && value <= most)) throw this.#notANumber(column, most)
    return value
  }

  #notANumber(column: string, most = Infinity): BadValue {
    const text = this.#text(column)
    const sign = this.#formats.decimal ?? '.'
    const plain = plainNumberOf(text, sign)
    const fault = plain === null ? faultOfSigned(text, sign) : rangeFault(Number(plain), most)
    return new BadValue(column, `${shown(text)} ${fault}`)
  }
}

function rangeFault(value: number, most: number): string {
  if (value < 0) return 'must not be negative'
  return value > most ? `must be at most ${most}` : 'must be written in plain digits'
}

const MAX_SHOWN = 40
const shown = (text: string) =>
  JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)
