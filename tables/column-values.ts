import { type DateFormat, formatsOf, isNoDay } from './dates.ts'
import { type NumberReading, readingOf } from './numbers.ts'
import { typedDay, typedNumber } from './typed.ts'

/** A distinct value of a column, with its first line. */
export interface Seen<Reading> {
  text: string
  line: number
  count: number
  /** In which ways it can be read. */
  readings: readonly Reading[]
}

/** A file is refused where so many values of a column, in this share of its rows, cannot be read. */
const MIN_BAD = 2
const BAD_SHARE = 0.2
/** Distinct values that are remembered; of further ones only the readings are counted. */
const MAX_DISTINCT = 20_000

/** What the rows of a file have in one column. */
export class ColumnValues<Reading> {
  readonly name: string
  /** How many values can be read in each way. */
  readonly counts = new Map<Reading, number>()
  readonly #seen = new Map<string, Seen<Reading>>()
  /** Whether a typed cell of a workbook holds what the column does. */
  readonly isTypedRight: (cell: string) => boolean
  /** Whether a text says nothing. */
  readonly isNone: (text: string) => boolean
  readonly #read: (text: string) => readonly Reading[]
  #rows = 0

  constructor(
    name: string,
    read: (text: string) => readonly Reading[],
    typed: (cell: string) => string | null,
    isNone: (text: string) => boolean = (text) => text === '',
  ) {
    this.isNone = isNone
    this.name = name
    this.isTypedRight = (cell) => typed(cell) !== null
    this.#read = read
  }

  /** Counts a row, also one whose cell is empty or read by every format in the same way. */
  addRow(): void {
    this.#rows++
  }

  add(text: string, line: number): void {
    let seen = this.#seen.get(text)
    if (seen) seen.count++
    else {
      seen = { text, line, count: 1, readings: this.#read(text) }
      if (this.#seen.size < MAX_DISTINCT) this.#seen.set(text, seen)
    }
    for (const each of seen.readings) this.counts.set(each, this.count(each) + 1)
  }

  count(reading: Reading): number {
    return this.counts.get(reading) ?? 0
  }

  find(is: (value: Seen<Reading>) => boolean): Seen<Reading> | undefined {
    return [...this.#seen.values()].find(is)
  }

  /** The first bad value, where too many are. */
  findBad(isBad: (value: Seen<Reading>) => boolean): Seen<Reading> | null {
    const bad = [...this.#seen.values()].filter(isBad)
    const count = bad.reduce((sum, each) => sum + each.count, 0)
    return count >= MIN_BAD && count >= BAD_SHARE * this.#rows ? bad[0]! : null
  }
}

export type DateValues = ColumnValues<DateFormat>
export type NumberValues = ColumnValues<NumberReading>

export const dateValues = (name: string): DateValues =>
  new ColumnValues(name, formatsOf, typedDay, isNoDay)
export const numberValues = (name: string): NumberValues =>
  new ColumnValues(name, (text) => [readingOf(text)], typedNumber)
