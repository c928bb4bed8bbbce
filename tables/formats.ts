import { type DateFormat, dayOf, formatsOf, isNoDay } from './dates.ts'
import { type DecimalSign, plainNumberOf, readingOf } from './numbers.ts'
import { TableRefused } from './refusal.ts'
import { isTyped, typedDay, typedNumber } from './typed.ts'

/** What a person says of a file; what is missing is found. */
export interface DeclaredFormats {
  decimal?: DecimalSign
  date_format?: DateFormat
}

function dayOfTyped(cell: string): string | null {
  const day = typedDay(cell)
  return day !== null && isNoDay(day) ? null : day
}

const OPPOSITE = new Map<DateFormat, DateFormat>([
  ['DD/MM/YYYY', 'MM/DD/YYYY'],
  ['MM/DD/YYYY', 'DD/MM/YYYY'],
])
const MAX_KNOWN = 20_000

/**
 * How the cells of one file are written. What the first rows leave open is decided by the first value that shows it.
 */
export class Formats {
  /** Null while every number was whole. */
  decimal: DecimalSign | null
  /** Whether a number such as `1.250` has a decimal point, because the file is written as in English. */
  readonly #isEnglish: boolean
  readonly #declared: DeclaredFormats
  readonly #dates = new Map<string, DateFormat>()
  readonly #days = new Map<string, string | null>()

  constructor(declared: DeclaredFormats = {}, isEnglish = false) {
    this.#declared = declared
    this.#isEnglish = isEnglish
    this.decimal = declared.decimal ?? null
  }

  /** The format of a column; null while no value has shown it. */
  dateFormatOf(column: string): DateFormat | null {
    return this.#dates.get(column) ?? this.#declared.date_format ?? null
  }

  /** The format that was found in a column; null where it was said. */
  foundDateFormatOf(column: string): DateFormat | null {
    return this.#dates.get(column) ?? null
  }

  setDateFormat(column: string, format: DateFormat): void {
    this.#dates.set(column, format)
  }

  /** The formats that were found in the file's columns. */
  get dateFormats(): DateFormat[] {
    return [...new Set(this.#dates.values())]
  }

  /** The calendar day of a cell; null where it is none. @throws TableRefused ambiguous_date | unreadable_date */
  day(column: string, cell: string): string | null {
    if (isTyped(cell)) return dayOfTyped(cell)
    const text = cell.trim()
    const format = this.dateFormatOf(column) ?? this.#findDateFormat(column, text)
    if (!format) return null
    const key = format + text
    let day = this.#days.get(key)
    if (day !== undefined) return day
    day = dayOf(text, format) ?? this.#refuseOpposite(column, text)
    if (this.#days.size >= MAX_KNOWN) this.#days.clear()
    this.#days.set(key, day)
    return day
  }

  /** The number of a cell in plain digits with a decimal point; null where it is none. @throws TableRefused ambiguous_number */
  number(column: string, cell: string): string | null {
    if (isTyped(cell)) return typedNumber(cell)
    const text = cell.trim()
    if (this.decimal === null) {
      this.decimal = this.decimalOf(column, text)
      // A whole number leaves the sign open.
      if (this.decimal === null) return plainNumberOf(text, '.')
    }
    return plainNumberOf(text, this.decimal)
  }

  /** The decimal sign that a number shows; null for a whole one, and for what is none. @throws TableRefused */
  decimalOf(column: string, text: string, line: number | null = null): DecimalSign | null {
    const reading = readingOf(text)
    if (reading === '.' || reading === ',') return reading
    if (reading !== 'other') return null
    if (this.#isEnglish && !text.includes(',')) return '.'
    throw ambiguousNumber(column, text, line)
  }

  /** Whether `1,250` beside a decimal point is a whole number, because the table is written as in English. */
  hasThousands(text: string): boolean {
    return this.#isEnglish && text.includes(',')
  }

  #findDateFormat(column: string, text: string): DateFormat | null {
    const [format, other] = formatsOf(text)
    if (!format) return null
    const found = other ? this.sameAsOthers([format, other]) : format
    if (!found) throw ambiguousDate(column, text, null)
    this.#dates.set(column, found)
    return found
  }

  /** A value that only the other order of day and month reads shows that rows before it were swapped. */
  #refuseOpposite(column: string, text: string): null {
    const format = this.foundDateFormatOf(column)
    const other = format && OPPOSITE.get(format)
    if (!other || dayOf(text, other) === null) return null
    const message = `${column} "${text}" is not written as ${format}, as others are: write all dates in one way`
    throw new TableRefused('unreadable_date', message)
  }

  /** Of several formats the one that another column of the file has. */
  sameAsOthers(formats: DateFormat[]): DateFormat | undefined {
    return formats.find((format) => this.dateFormats.includes(format))
  }
}

export function ambiguousNumber(column: string, text: string, line: number | null): TableRefused {
  const [point, comma] = [plainNumberOf(text, '.'), plainNumberOf(text, ',')]
  const message = `${column} "${text}" can be ${Number(point)} or ${Number(comma)}`
  const values = ['.', ',']
  return new TableRefused('ambiguous_number', message, line, { setting: 'decimal', values })
}

export function ambiguousDate(column: string, text: string, line: number | null): TableRefused {
  const values: DateFormat[] = ['DD/MM/YYYY', 'MM/DD/YYYY']
  const [first, second] = values.map((format) => dayOf(text, format))
  const message = `${column} "${text}" can be ${first} or ${second}`
  return new TableRefused('ambiguous_date', message, line, { setting: 'date_format', values })
}
