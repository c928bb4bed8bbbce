// The options that `predict` and `backtest` have alike.
import { InvalidArgumentError } from 'commander'
import { type Booking, type Days, type EpochDay, toEpochDay } from '../../engine/index.ts'
import type { Country } from '../../holidays/public-holidays.ts'
import { DATE_FORMATS, type DateFormat } from '../../tables/dates.ts'
import type { DecimalSign } from '../../tables/numbers.ts'
import { type Json, mandatory, numberLike, option, textLike } from '../command.ts'

/** How a file of histories is read, and by how many. */
export interface OfflineOptions extends Json {
  history: string
  asOf?: EpochDay
  horizons?: Days[]
  returns: 'refuse' | 'net'
  booking?: Booking
  plan?: string
  country?: Country
  dateFormat?: DateFormat
  decimal?: DecimalSign
  workers?: number
}

export const HISTORY = mandatory(
  '--history <file>',
  'CSV (also .csv.gz) or .xlsx with columns sku,location,date,quantity; - for standard input',
)

/** How its rows are understood. */
export const DEMAND = [
  option(
    '--returns <how>',
    'negative quantities: refuse, or net against sales',
    oneOf<OfflineOptions['returns']>('refuse', 'net'),
    'refuse',
  ),
  option(
    '--booking <rhythm>',
    'how demand is booked: daily, weekly or monthly (found from the file)',
    oneOf<Booking>('daily', 'weekly', 'monthly'),
  ),
  option('--plan <file>', 'what is planned, with columns sku,location,from,to,kind,factor'),
]

export const COUNTRY = option(
  '--country <code>',
  'whose public holidays hold at all locations, e.g. DE or DE-BY (none)',
  countryFrom,
)

/** How the files are written, where that cannot be found in them. */
export const FORMATS = [
  option(
    '--date-format <format>',
    `how dates are written, where it cannot be found: ${DATE_FORMATS.join(', ')}`,
    dateFormatFrom,
  ),
  option(
    '--decimal <sign>',
    'the decimal sign, where it cannot be found: "." or ","',
    oneOf<DecimalSign>('.', ','),
  ),
]

export const COUNT = numberLike(/^(?!0+$)\d{1,6}$/, 'a whole number of 1 or more')
export const WORKERS = option('--workers <number>', 'cores to use (all)', COUNT)

export const chartFile = textLike(/.\.(html|svg)$/i, 'a file that ends in .html or .svg')

export function dayFrom(text: string): EpochDay {
  try {
    return toEpochDay(text)
  } catch {
    throw new InvalidArgumentError('It must be a day of the calendar, as YYYY-MM-DD.')
  }
}

const MAX_HORIZON = 90

/** Parses `7,28,90`; the result is sorted and without duplicates. */
export function horizonsFrom(text: string): Days[] {
  const horizons = text.split(',').map((part) => (/^\s*\d{1,2}\s*$/.test(part) ? Number(part) : 0))
  if (horizons.some((horizon) => horizon < 1 || horizon > MAX_HORIZON))
    throw new InvalidArgumentError(`It must be days of 1..${MAX_HORIZON}, as 7,28,90.`)
  return [...new Set(horizons)].sort((a, b) => a - b)
}

function oneOf<Word extends string>(...words: Word[]): (text: string) => Word {
  return (text) => {
    const found = words.find((word) => word === text)
    if (found !== undefined) return found
    const quoted = words.map((word) => `"${word}"`)
    throw new InvalidArgumentError(
      `It must be ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}.`,
    )
  }
}

/** Parses `DE` or `DE-BY`. */
function countryFrom(text: string): Country {
  const [, country, region] = /^([A-Za-z]{2})(?:-(\w[\w-]*))?$/.exec(text) ?? []
  if (country) return { country: country.toUpperCase(), region: region?.toUpperCase() ?? null }
  throw new InvalidArgumentError('It must be a country as DE, or a part of it as DE-BY.')
}

function dateFormatFrom(text: string): DateFormat {
  const format = DATE_FORMATS.find((each) => each === text.toUpperCase())
  if (format) return format
  throw new InvalidArgumentError(`It must be one of ${DATE_FORMATS.join(', ')}.`)
}
