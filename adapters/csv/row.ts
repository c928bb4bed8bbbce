import { codeIn, faultOfCode } from '../../tables/codes.ts'
import { faultOfDate, isNoDay, monthOf } from '../../tables/dates.ts'
import { FAULT_OF_FLAG, flagOf } from '../../tables/flags.ts'
import type { Formats } from '../../tables/formats.ts'
import { faultOfSigned, plainNumberOf } from '../../tables/numbers.ts'
import { shown } from '../../tables/refusal.ts'
import { isRate, MAX_FACTOR } from '../records.ts'
import { Columns } from '../rows/columns.ts'
import { toExact, toMoney } from '../rows/decimals.ts'
import type { Subject } from '../rows/values.ts'
import {
  BadValue,
  demandDayOf,
  emptyValue,
  MAX_DAYS,
  MAX_UNITS,
  problemOf,
} from '../rows/values.ts'

/** A plain number, not negative; without an exponent, because amounts are decimal text. */
const MONEY = /^\+?(\d{1,15}(\.\d*)?|\.\d+)$/

/** Reads the cells of a row by column name. */
export class Row extends Columns {
  protected readonly isCaseless = true
  #cells: readonly string[] = []
  readonly #columns: ReadonlyMap<string, number>
  readonly #formats: Formats
  /** What is wrong with cells that the row can do without. */
  unread: string[] = []

  constructor(columns: ReadonlyMap<string, number>, formats: Formats) {
    super()
    this.#columns = columns
    this.#formats = formats
  }

  /** Sets the row that the methods read: one object is reused for all rows of a file. */
  moveTo(cells: readonly string[]): void {
    this.#cells = cells
    if (this.unread.length) this.unread = []
  }

  /** The pair that the row is about. */
  about(): { about?: Subject } {
    const about = this.subject()
    return about.sku ? { about } : {}
  }

  text(column: string): string {
    return this.#cell(column).trim()
  }

  unitsOrNull(column: string): number | null {
    return this.#number(column, MAX_UNITS)
  }

  /** May be negative. */
  quantity(column: string): number {
    if (!this.has(column)) throw emptyValue(column)
    const plain = this.#formats.number(column, this.#cell(column))
    if (plain === null || !(Math.abs(Number(plain)) <= MAX_UNITS))
      throw this.#notANumber(column, MAX_UNITS)
    return Number(plain) + 0
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

  moneyOrNull(column: string): string | null {
    if (!this.has(column)) return null
    const plain = this.#formats.number(column, this.#cell(column))
    if (plain === null || !MONEY.test(plain)) throw this.#notANumber(column)
    const [whole = '', fraction = ''] = plain.replace('+', '').split('.')
    if (fraction.length > 4) return toMoney(toExact(`${whole || 0}.${fraction}`)!)
    return (whole || '0') + (fraction && `.${fraction}`)
  }

  rate(column: string): string {
    if (!this.has(column)) throw emptyValue(column)
    const rate = this.#formats.number(column, this.#cell(column))
    if (rate !== null && isRate(rate)) return rate
    const rule =
      'must be a number above 0, with at most 12 digits on either side of the decimal sign'
    throw new BadValue(column, rule)
  }

  dayOrNull(column: string): string | null {
    const text = this.text(column)
    if (!text) return null
    const day = this.#formats.day(column, this.#cell(column))
    if (day !== null) return day
    if (isNoDay(text)) return null
    const format = this.#formats.dateFormatOf(column)
    const rule = format ? `must be a calendar day as ${format}` : faultOfDate(text)
    throw new BadValue(column, `${shown(text)} ${rule}`)
  }

  /** Null too where the cell cannot be read, which `unread` tells. */
  dayIfReadable(column: string): string | null {
    return this.#ifReadable(() => this.dayOrNull(column))
  }

  /** Of prices that move no number: null too where the cell cannot be read, which `unread` tells. */
  priceIfReadable(column: string): number | null {
    return this.has(column) ? this.#ifReadable(() => this.priceOrNull(column)) : null
  }

  #ifReadable<T>(read: () => T): T | null {
    try {
      return read()
    } catch (error) {
      this.unread.push(problemOf(error).message)
      return null
    }
  }

  /** First and last day of a month. */
  month(column: string): { firstDay: string; lastDay: string } {
    const text = this.text(column)
    if (!text) throw emptyValue(column)
    const month = monthOf(text)
    if (month === null) throw new BadValue(column, `${shown(text)} must be a month, as 2026-12`)
    const firstDay = demandDayOf(`${month}-01`, column)
    const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0))
    return { firstDay, lastDay: last.toISOString().slice(0, 10) }
  }

  flagOrNull(column: string): boolean | null {
    const text = this.text(column)
    if (!text) return null
    const flag = flagOf(text)
    if (flag === undefined) throw new BadValue(column, FAULT_OF_FLAG)
    return flag
  }

  protected codeText(column: string): string {
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
    if (!this.has(column)) return null
    const plain = this.#formats.number(column, this.#cell(column))
    // Adding 0 makes -0 a 0.
    const value = plain === null ? NaN : Number(plain) + 0
    if (!(value >= 0 && value <= most)) throw this.#notANumber(column, most)
    return value
  }

  #notANumber(column: string, most = Infinity): BadValue {
    const text = this.text(column)
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
