import { type EpochDay, toEpochDay } from '../../engine/index.ts'
import { faultOfDate } from '../../tables/dates.ts'
import type { Formats } from '../../tables/formats.ts'
import { BadRow } from './table-file.ts'

/** Reads dates of one column and caches the results. @throws BadRow */
export function dayReader(formats: Formats, column: string): (text: string) => EpochDay {
  const known = new Map<string, EpochDay>()
  return (text) => {
    let day = known.get(text)
    if (day === undefined) known.set(text, (day = readDay(formats, column, text.trim())))
    return day
  }
}

function readDay(formats: Formats, column: string, text: string): EpochDay {
  const day = formats.day(column, text)
  if (day !== null) return toEpochDay(day)
  const format = formats.dateFormatOf(column)
  const rule = format ? `is no day as ${format}` : faultOfDate(text)
  throw new BadRow(text ? `${column} ${shown(text)} ${rule}` : `the ${column} is empty`)
}

/** A finite number. @throws BadRow */
export function numberOf(formats: Formats, column: string, cell: string): number {
  const text = cell.trim()
  const plain = formats.number(column, text)
  const value = plain === null ? NaN : Number(plain)
  if (Number.isFinite(value)) return value
  const sign = formats.decimal === ',' ? ', with "," as decimal sign' : ''
  throw new BadRow(text ? `${column} ${shown(text)} is no number${sign}` : `the ${column} is empty`)
}

const NO_PROMOTION = new Set(['', '0', 'false', 'no', 'n', 'nein', 'null'])

/** Whether a promotion ran: true for any text except 0, false, no and an empty cell. */
export function promoOf(text: string): boolean {
  const mark = text.trim().toLowerCase()
  return !NO_PROMOTION.has(mark) && Number(mark) !== 0
}

const MAX_SHOWN = 40
const shown = (text: string) =>
  JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)
