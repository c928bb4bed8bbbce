// Text of a cell → a value, or null where it is invalid. The formats come from the source's options.
import type { Format } from './options.ts'

const NUMBER = {
  '.': /^-?(\d+(\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i,
  ',': /^-?(\d+(,\d*)?|,\d+)(e[+-]?\d{1,3})?$/i,
}

/** A number without thousands separators; Infinity where it is too large for one. */
export function numberOf(text: string, decimal: Format['decimal']): number | null {
  if (!NUMBER[decimal].test(text)) return null
  // Adding 0 makes -0 a 0.
  return Number(decimal === ',' ? text.replace(',', '.') : text) + 0
}

/** A decimal string rounded to at most four places. */
export function decimalOf(text: string, decimal: Format['decimal']): string | null {
  const value = numberOf(text, decimal)
  if (value === null || /e/i.test(text)) return null
  const [whole = '', fraction = ''] = text.split(decimal)
  if (fraction.length > 4) return value.toFixed(4)
  return (whole || '0') + (fraction && `.${fraction}`)
}

const DATE = {
  'YYYY-MM-DD': /^(?<y>\d{4})-(?<m>\d\d)-(?<d>\d\d)$/,
  'DD.MM.YYYY': /^(?<d>\d\d?)\.(?<m>\d\d?)\.(?<y>\d{4})$/,
  'MM/DD/YYYY': /^(?<m>\d\d?)\/(?<d>\d\d?)\/(?<y>\d{4})$/,
  'DD/MM/YYYY': /^(?<d>\d\d?)\/(?<m>\d\d?)\/(?<y>\d{4})$/,
  YYYYMMDD: /^(?<y>\d{4})(?<m>\d\d)(?<d>\d\d)$/,
}

/** The calendar day as `YYYY-MM-DD`. */
export function dayOf(text: string, format: Format['date_format']): string | null {
  const { y, m, d } = DATE[format].exec(text)?.groups ?? {}
  if (!y || !m || !d || !isDay(Number(y), Number(m), Number(d))) return null
  return `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`
}

const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isDay(year: number, month: number, day: number): boolean {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const last = month === 2 && leap ? 29 : DAYS_OF_MONTH[month - 1]
  return last !== undefined && day >= 1 && day <= last
}

const FLAGS = new Map([
  ['0', false],
  ['1', true],
  ['false', false],
  ['true', true],
])

export const flagOf = (text: string): boolean | null => FLAGS.get(text.toLowerCase()) ?? null
