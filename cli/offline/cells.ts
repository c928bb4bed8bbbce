import { type EpochDay, toEpochDay } from '../../engine/index.ts'
import { codeIn, faultOfCode } from '../../tables/codes.ts'
import { faultOfDate } from '../../tables/dates.ts'
import { FAULT_OF_FLAG, flagOf } from '../../tables/flags.ts'
import type { Formats } from '../../tables/formats.ts'
import { faultOfSigned } from '../../tables/numbers.ts'
import { shown } from '../../tables/refusal.ts'
import { BadRow } from './table-file.ts'

/** As a source has them. */
const [FIRST_DAY, END] = ['1970-01-01', '2200-01-01']

/** Reads dates of one column and caches the results. @throws BadRow */
export function dayReader(formats: Formats, column: string): (cell: string) => EpochDay {
  const known = new Map<string, EpochDay>()
  return (cell) => {
    let day = known.get(cell)
    if (day === undefined) known.set(cell, (day = readDay(formats, column, cell)))
    return day
  }
}

function readDay(formats: Formats, column: string, cell: string): EpochDay {
  const day = formats.day(column, cell)
  const text = cell.trim()
  if (day !== null) {
    if (day >= FIRST_DAY && day < END) return toEpochDay(day)
    throw new BadRow(`${column} ${shown(text)} must lie between 1970 and 2199`)
  }
  const format = formats.dateFormatOf(column)
  const rule = format ? `is no day as ${format}` : faultOfDate(text)
  throw new BadRow(text ? `${column} ${shown(text)} ${rule}` : `the ${column} is empty`)
}

/** A finite number. @throws BadRow */
export function numberOf(formats: Formats, column: string, cell: string): number {
  const plain = formats.number(column, cell)
  const value = plain === null ? NaN : Number(plain)
  if (Number.isFinite(value)) return value
  const text = cell.trim()
  const fault = faultOfSigned(text, formats.decimal ?? '.')
  throw new BadRow(text ? `${column} ${shown(text)} ${fault}` : `the ${column} is empty`)
}

/** Whether a promotion ran; an empty cell says no. @throws BadRow */
export function promoOf(cell: string): boolean {
  const text = cell.trim()
  if (!text) return false
  const flag = flagOf(text)
  if (flag === undefined) throw new BadRow(`promo ${shown(text)} ${FAULT_OF_FLAG}`)
  return flag
}

/** A code without blanks around it; empty for an empty cell. @throws BadRow */
export function codeFrom(column: string, cell: string): string {
  const fault = faultOfCode(cell)
  if (fault) throw new BadRow(`${column} ${shown(cell.trim())} ${fault}`)
  return codeIn(cell)
}
