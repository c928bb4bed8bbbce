import { isDemandDay, MAX_CODE_LENGTH } from '../records.ts'
import { cut } from '../rows/text.ts'
import type { Format } from './options.ts'
import type { Problem } from './problems.ts'
import { dayOf, decimalOf, flagOf, numberOf } from './values.ts'

const MAX_UNITS = 1e12
const MAX_DAYS = 3650

/**
 * Reads the cells of a row by the names of their columns, for a mapper. A cell that is no value of
 * its kind leaves a {@link Row.problem} and gives a stand-in: look at it before using the record.
 * `…OrNull` gives null for an empty cell and for a column that the file lacks.
 */
export class Row {
  problem: Problem | null = null
  #cells: readonly string[] = []
  readonly #columns: ReadonlyMap<string, number>
  readonly #format: Format

  constructor(columns: ReadonlyMap<string, number>, format: Format) {
    this.#columns = columns
    this.#format = format
  }

  /** One Row serves all rows of a file. */
  moveTo(cells: readonly string[]): void {
    this.#cells = cells
    this.problem = null
  }

  code(column: string): string {
    return this.codeOrNull(column) ?? this.#missing(column, '')
  }

  codeOrNull(column: string): string | null {
    const text = this.#text(column)
    if (text.length > MAX_CODE_LENGTH) {
      this.#invalid(column, `must have at most ${MAX_CODE_LENGTH} characters`)
    }
    return text || null
  }

  /** For people to read, so it is cut to fit. */
  nameOrNull(column: string): string | null {
    return cut(this.#text(column), 200) || null
  }

  unitOrNull(column: string): string | null {
    const text = this.#text(column)
    if (text.length > 20) this.#invalid(column, 'must have at most 20 characters')
    return text || null
  }

  units(column: string): number {
    return this.unitsOrNull(column) ?? this.#missing(column, 0)
  }

  unitsOrNull(column: string): number | null {
    return this.#number(column, MAX_UNITS)
  }

  /** A lot of 0 says "any quantity", as no lot does. */
  lotOrNull(column: string): number | null {
    return this.unitsOrNull(column) || null
  }

  priceOrNull(column: string): number | null {
    return this.#number(column, Number.MAX_VALUE)
  }

  daysOrNull(column: string, least = 0): number | null {
    const value = this.#number(column, MAX_DAYS)
    if (value !== null && (value < least || !Number.isInteger(value))) {
      this.#invalid(column, `must be a whole number of days from ${least} to ${MAX_DAYS}`)
    }
    return value
  }

  moneyOrNull(column: string): string | null {
    const text = this.#text(column)
    if (!text) return null
    const value = decimalOf(text, this.#format.decimal)
    if (value === null || !/^\d{1,15}(\.|$)/.test(value)) this.#notANumber(column)
    return value
  }

  currencyOrNull(column: string): string | null {
    const text = this.#text(column).toUpperCase()
    if (text && !/^[A-Z]{3}$/.test(text)) this.#invalid(column, 'must be an ISO 4217 code')
    return text || null
  }

  demandDay(column: string): string {
    const day = this.dayOrNull(column)
    if (day === null) return this.#missing(column, '')
    if (!isDemandDay(day)) this.#invalid(column, 'must lie between 1970 and 2199')
    return day
  }

  dayOrNull(column: string): string | null {
    const text = this.#text(column)
    if (!text) return null
    const day = dayOf(text, this.#format.date_format)
    if (day === null || day < '1900-01-01') {
      return this.#invalid(column, `must be a calendar day as ${this.#format.date_format}`)
    }
    return day
  }

  flagOrNull(column: string): boolean | null {
    const text = this.#text(column)
    if (!text) return null
    const flag = flagOf(text)
    return flag === null ? this.#invalid(column, 'must be 0, 1, true, false or empty') : flag
  }

  #text(column: string): string {
    const index = this.#columns.get(column)
    return index === undefined ? '' : (this.#cells[index] ?? '').trim()
  }

  #number(column: string, most: number): number | null {
    const text = this.#text(column)
    if (!text) return null
    const value = numberOf(text, this.#format.decimal)
    if (value === null || value < 0 || value > most) this.#notANumber(column)
    return value
  }

  #notANumber(column: string): void {
    const sign = this.#format.decimal
    const rule = `must be a number, not negative, with "${sign}" as decimal sign and no thousands separator`
    this.#invalid(column, rule)
  }

  #missing<T>(column: string, standIn: T): T {
    this.problem ??= { code: 'missing_value', target: column, message: `${column} is empty.` }
    return standIn
  }

  #invalid(column: string, rule: string): null {
    this.problem ??= { code: 'invalid_value', target: column, message: `${column} ${rule}.` }
    return null
  }
}
