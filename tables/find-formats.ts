// Finds how the cells of a file are written, from its first rows and from as many more as leave it open.
import { dateValues, numberValues } from './column-values.ts'
import type { DateValues, NumberValues, Seen } from './column-values.ts'
import { DATE_FORMATS, type DateFormat, dayOf, faultOfDate } from './dates.ts'
import { ambiguousDate, ambiguousNumber, type DeclaredFormats, Formats } from './formats.ts'
import type { Header } from './header.ts'
import { type DecimalSign, faultOfNumber, type NumberReading, plainNumberOf } from './numbers.ts'
import type { ParsedRow } from './parse.ts'
import { shown, TableRefused } from './refusal.ts'
import { isTyped } from './typed.ts'

/** What columns hold, of those whose cells have formats. */
export type Kinds = ReadonlyMap<string, 'date' | 'number'>

/** Rows that are looked at in any case. */
const FIRST_ROWS = 1_000

/**
 * Looks at the rows of a file.
 * @throws TableRefused ambiguous_date | ambiguous_number | unreadable_date | unreadable_number
 */
export async function findFormats(
  batches: AsyncIterable<ParsedRow[]>,
  { columns, delimiter }: Pick<Header, 'columns' | 'delimiter'>,
  kindsOf: (rows: ParsedRow[]) => Kinds,
  declared: DeclaredFormats,
): Promise<Formats> {
  const dates = new Map<string, DateValues>()
  const numbers = new Map<string, NumberValues>()
  let rows = 0
  for await (const batch of batches) {
    const valid = batch.filter(({ problem }) => !problem)
    for (const [name, kind] of kindsOf(valid)) {
      if (kind === 'date') dates.set(name, dates.get(name) ?? dateValues(name))
      else numbers.set(name, numbers.get(name) ?? numberValues(name))
    }
    for (const values of [...dates.values(), ...numbers.values()]) addCells(values, valid, columns)
    rows += valid.length
    if (rows < FIRST_ROWS) continue
    const isOpen =
      (!declared.date_format && [...dates.values()].some(isOpenDate)) ||
      (!declared.decimal && isOpenNumber([...numbers.values()]))
    if (!isOpen) break
  }
  const formats = new Formats(declared, delimiter === ',')
  decideDates([...dates.values()], formats, declared)
  decideDecimal([...numbers.values()], formats, declared)
  return formats
}

function addCells(
  values: DateValues | NumberValues,
  rows: ParsedRow[],
  columns: ReadonlyMap<string, number>,
): void {
  const index = columns.get(values.name)
  if (index === undefined) return
  for (const { cells, line } of rows) {
    const cell = cells[index]!
    const text = cell.trim()
    values.addRow()
    const isSure = isTyped(cell) && values.isTypedRight(cell)
    if (!isSure && !values.isNone(text)) values.add(text, line)
  }
}

/** The formats that read most of the values; two where these can be both. */
function bestFormats({ counts }: DateValues): DateFormat[] {
  const most = Math.max(0, ...counts.values())
  return DATE_FORMATS.filter((format) => most > 0 && counts.get(format) === most)
}

/** 03/04/2026, but not 03/03/2026, which is one day in both orders. */
const isTwoDays = (text: string, formats: DateFormat[]) =>
  new Set(formats.map((format) => dayOf(text, format)).filter(Boolean)).size > 1

const isOpenDate = (values: DateValues) => bestFormats(values).length > 1

function decideDates(columns: DateValues[], formats: Formats, declared: DeclaredFormats): void {
  const best = columns.map((values) => ({ values, found: bestFormats(values) }))
  if (!declared.date_format) {
    for (const { values, found } of best)
      if (found.length === 1) formats.setDateFormat(values.name, found[0]!)
    for (const { values, found } of best) {
      if (found.length < 2) continue
      const format = formats.sameAsOthers(found)
      const open = values.find((value) => isTwoDays(value.text, found))
      if (!format && open) throw ambiguousDate(values.name, open.text, open.line)
      formats.setDateFormat(values.name, format ?? found[0]!)
    }
  }
  for (const { values, found } of best) {
    const format = formats.dateFormatOf(values.name)
    const bad = values.findBad(({ readings }) => !format || !readings.includes(format))
    if (bad) throw unreadableDate(values.name, bad, format, found)
  }
}

function unreadableDate(
  column: string,
  { text, line, readings }: Seen<DateFormat>,
  format: DateFormat | null,
  best: DateFormat[],
): TableRefused {
  const value = `${column} ${shown(text)}`
  const refuse = (message: string, values?: string[]) =>
    new TableRefused(
      'unreadable_date',
      `${value} ${message}`,
      line,
      values && { setting: 'date_format', values },
    )
  if (!readings.length || !format) return refuse(faultOfDate(text))
  if (best.length && !best.includes(format)) return refuse(`is not written as ${format}`, best)
  return refuse(`is not written as ${format}, as others are: write all dates in one way`)
}

const countOf = (columns: NumberValues[], reading: NumberReading) =>
  columns.reduce((sum, values) => sum + values.count(reading), 0)

const isOpenNumber = (columns: NumberValues[]) =>
  countOf(columns, 'other') > 0 && !countOf(columns, '.') && !countOf(columns, ',')

function decideDecimal(columns: NumberValues[], formats: Formats, declared: DeclaredFormats): void {
  if (!declared.decimal) formats.decimal = findDecimal(columns, formats)
  const decimal = formats.decimal ?? '.'
  for (const values of columns) {
    const bad = values.findBad(({ text }) => plainNumberOf(text, decimal) === null)
    if (bad) throw unreadableNumber(values.name, bad, decimal, declared)
  }
}

function findDecimal(columns: NumberValues[], formats: Formats): DecimalSign | null {
  const [points, commas] = [countOf(columns, '.'), countOf(columns, ',')]
  if (points || commas) {
    const decimal = points >= commas ? '.' : ','
    const lost = decimal === '.' ? ',' : '.'
    if (!columns.some((values) => showsThousands(values, decimal, lost)))
      for (const values of columns) refuseUnsure(values, lost, formats)
    return decimal
  }
  for (const values of columns) {
    const open = values.find(({ readings }) => readings.includes('other'))
    if (open) return formats.decimalOf(values.name, open.text, open.line)
  }
  return null
}

/** Whether a number such as `1.234,56` has both signs, so that the other one stands between thousands. */
const showsThousands = (values: NumberValues, decimal: DecimalSign, other: DecimalSign) =>
  Boolean(values.find(({ text, readings }) => readings[0] === decimal && text.includes(other)))

/** A decimal point in another column does not show that `1,250` is a whole number: it may have been 1.25. */
function refuseUnsure(values: NumberValues, lost: DecimalSign, formats: Formats): void {
  if (values.count('.') || values.count(',')) return
  const open = values.find(({ text, readings }) => readings[0] === 'other' && text.includes(lost))
  if (open && !formats.hasThousands(open.text))
    throw ambiguousNumber(values.name, open.text, open.line)
}

function unreadableNumber(
  column: string,
  { text, line, readings }: Seen<NumberReading>,
  decimal: DecimalSign,
  declared: DeclaredFormats,
): TableRefused {
  const [reading] = readings
  const value = `${column} ${shown(text)}`
  if (reading !== '.' && reading !== ',')
    return new TableRefused('unreadable_number', `${value} ${faultOfNumber()}`, line)
  const message = `${value} does not have "${decimal}" as decimal sign`
  return declared.decimal
    ? new TableRefused('unreadable_number', message, line, {
        setting: 'decimal',
        values: [reading],
      })
    : new TableRefused('unreadable_number', `${message}: write all numbers in one way`, line)
}
