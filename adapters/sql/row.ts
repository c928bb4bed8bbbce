import { isNoDay } from '../../tables/dates.ts'
import { isRate, MAX_FACTOR } from '../records.ts'
import { Columns } from '../rows/columns.ts'
import { toMoney } from '../rows/decimals.ts'
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
import type { Cells } from './dialects/dialect.ts'

const YES = ['t', 'true', '1', 'y', 'Y', '\u0001']
const NO = ['f', 'false', '0', 'n', 'N', '\u0000']

/** Midnight, or another time of a day. */
const DAY_WITH_TIME = /^(\d{4}-\d\d-\d\d)[ T]\d/

/** Reads the cells of a row by column. */
export class Row extends Columns {
  protected readonly isCaseless = false
  #cells: Cells = []
  readonly #columns: ReadonlyMap<string, number>

  constructor(columns: readonly string[]) {
    super()
    this.#columns = new Map(columns.map((name, at) => [name, at]))
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

  unitsOrNull(column: string): number | null {
    const text = this.text(column)
    return text ? numberOf(unitsOf(text, column), column) : null
  }

  priceOrNull(column: string): number | null {
    return this.unitsOrNull(column)
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

  moneyOrNull(column: string): string | null {
    const text = this.text(column)
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
    if (YES.includes(text)) return true
    if (NO.includes(text)) return false
    throw new BadValue(column, 'must be true or false')
  }

  dayOrNull(column: string): string | null {
    const text = this.text(column)
    if (isNoDay(text)) return null
    return dayOf(DAY_WITH_TIME.exec(text)?.[1] ?? text, column)
  }

  protected codeText(column: string): string {
    return this.text(column)
  }
}
