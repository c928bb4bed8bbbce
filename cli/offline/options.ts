import { InvalidArgumentError, Option } from 'commander'
import { type Booking, type Days, type EpochDay, toEpochDay } from '../../engine/index.ts'
import { DATE_FORMATS, type DateFormat } from '../../tables/dates.ts'
import type { DecimalSign } from '../../tables/numbers.ts'

const MAX_HORIZON = 90

export function dateOption(text: string): EpochDay {
  try {
    return toEpochDay(text)
  } catch {
    throw new InvalidArgumentError('It must be a day of the calendar, as YYYY-MM-DD.')
  }
}

/** Parses `7,28,90`; the result is sorted and without duplicates. */
export function horizonsOption(text: string): Days[] {
  const horizons = text.split(',').map((part) => (/^\s*\d{1,2}\s*$/.test(part) ? Number(part) : 0))
  if (horizons.some((horizon) => horizon < 1 || horizon > MAX_HORIZON))
    throw new InvalidArgumentError(`It must be days of 1..${MAX_HORIZON}, as 7,28,90.`)
  return [...new Set(horizons)].sort((a, b) => a - b)
}

export function returnsOption(text: string): 'refuse' | 'net' {
  if (text === 'refuse' || text === 'net') return text
  throw new InvalidArgumentError('It must be "refuse" or "net".')
}

export function bookingOption(text: string): Booking {
  if (text === 'daily' || text === 'weekly' || text === 'monthly') return text
  throw new InvalidArgumentError('It must be "daily", "weekly" or "monthly".')
}

const isDateFormat = (text: string): text is DateFormat =>
  DATE_FORMATS.some((format) => format === text)

function dateFormatOption(text: string): DateFormat {
  const format = text.toUpperCase()
  if (isDateFormat(format)) return format
  throw new InvalidArgumentError(`It must be one of ${DATE_FORMATS.join(', ')}.`)
}

function decimalOption(text: string): DecimalSign {
  if (text === '.' || text === ',') return text
  throw new InvalidArgumentError('It must be "." or ",".')
}

/** What `--history` takes. */
export const HISTORY =
  'CSV (also .csv.gz) or .xlsx with columns sku,location,date,quantity; - for standard input'

/** How the files are written, where that cannot be found in them. */
export const formatOptions = () => [
  new Option(
    '--date-format <format>',
    `how dates are written, where it cannot be found: ${DATE_FORMATS.join(', ')}`,
  ).argParser(dateFormatOption),
  new Option(
    '--decimal <sign>',
    'the decimal sign, where it cannot be found: "." or ","',
  ).argParser(decimalOption),
]

export function chartOption(text: string): string {
  if (/.\.(html|svg)$/i.test(text)) return text
  throw new InvalidArgumentError('It must be a file that ends in .html or .svg.')
}

/** A parser for a whole number of `least` or more. */
export function atLeast(least: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,6}$/.test(text) ? Number(text) : NaN
    if (number >= least) return number
    throw new InvalidArgumentError(`It must be a whole number of ${least} or more.`)
  }
}
