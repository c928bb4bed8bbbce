export const DATE_FORMATS = [
  'YYYY-MM-DD',
  'DD.MM.YYYY',
  'MM/DD/YYYY',
  'DD/MM/YYYY',
  'YYYY/MM/DD',
  'YYYYMMDD',
] as const
export type DateFormat = (typeof DATE_FORMATS)[number]

/** A time of day, which is left out: a row counts on the day that it names. */
const TIME = String.raw`(?:[T ,]\s*\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?\s*(?:[AaPp]\.?[Mm]\.?)?\s*(?:Z|UTC|[+-]\d\d:?\d\d)?)?`
const pattern = (day: string) => new RegExp(`^${day}${TIME}$`)

const PATTERNS: Record<DateFormat, RegExp> = {
  'YYYY-MM-DD': pattern('(?<y>\\d{4})-(?<m>\\d\\d)-(?<d>\\d\\d)'),
  'DD.MM.YYYY': pattern('(?<d>\\d\\d?)\\.(?<m>\\d\\d?)\\.(?<y>\\d{4})'),
  'MM/DD/YYYY': pattern('(?<m>\\d\\d?)[/-](?<d>\\d\\d?)[/-](?<y>\\d{4})'),
  'DD/MM/YYYY': pattern('(?<d>\\d\\d?)[/-](?<m>\\d\\d?)[/-](?<y>\\d{4})'),
  'YYYY/MM/DD': pattern('(?<y>\\d{4})[/.](?<m>\\d\\d?)[/.](?<d>\\d\\d?)'),
  YYYYMMDD: pattern('(?<y>\\d{4})(?<m>\\d\\d)(?<d>\\d\\d)'),
}

const FIRST_DAY = '1900-01-01'
const MAX_LENGTH = 40

/** The calendar day as `YYYY-MM-DD`; null where the text is none, or lies before 1900. */
export function dayOf(text: string, format: DateFormat): string | null {
  if (text.length > MAX_LENGTH) return null
  const { y, m, d } = PATTERNS[format].exec(text)?.groups ?? {}
  if (!y || !m || !d || !isDay(Number(y), Number(m), Number(d))) return null
  const day = `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`
  return day < FIRST_DAY ? null : day
}

/** The days before the first one of Excel and Access, which stand for none. */
const ZERO_DAYS = ['1899-12-30', '1899-12-31', '1900-01-00']

/** Whether a text is what ERPs, databases and Excel write for no date: 00.00.0000, 00000000, 0001-01-01, 00.01.1900, 0. */
export function isNoDay(text: string): boolean {
  if (text.length > MAX_LENGTH) return false
  if (text === '' || text === '0') return true
  if (!/00|1899/.test(text)) return false
  return DATE_FORMATS.some((format) => {
    const { y, m, d } = PATTERNS[format].exec(text)?.groups ?? {}
    if (!y || !m || !d) return false
    return Number(y) <= 1 || ZERO_DAYS.includes(`${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`)
  })
}

const MONTHS = [
  /^(?<y>\d{4})-?(?<m>0[1-9]|1[0-2])(-\d\d)?$/,
  /^(?<m>0?[1-9]|1[0-2])[./](?<y>\d{4})$/,
]

/** The month as `YYYY-MM`, of `2026-12`, `202612`, `12/2026`, `12.2026` and of a day `2026-12-24`; null where the text is none. */
export function monthOf(text: string): string | null {
  for (const month of MONTHS) {
    const { y, m } = month.exec(text)?.groups ?? {}
    if (y && m) return `${y}-${m.padStart(2, '0')}`
  }
  return null
}

/** The formats in which the text is a day; two where it can be 3 April or March 4. */
export const formatsOf = (text: string): DateFormat[] =>
  DATE_FORMATS.filter((format) => dayOf(text, format) !== null)

/** What is wrong with a text that is no date in any format. */
export function faultOfDate(text: string): string {
  if (/^\d{5}(\.\d+)?$/.test(text))
    return 'is a day number of Excel: format the column as a date before it is saved'
  if (/^\d\d?[./-]\d\d?[./-]\d\d$/.test(text)) return 'has a year of two digits: write it with four'
  if (DATE_FORMATS.some((format) => PATTERNS[format].test(text.slice(0, MAX_LENGTH))))
    return 'is no day of the calendar'
  return `is no date that is understood: write it as ${DATE_FORMATS.slice(0, 4).join(', ')}`
}

const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isDay(year: number, month: number, day: number): boolean {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const last = month === 2 && leap ? 29 : DAYS_OF_MONTH[month - 1]
  return last !== undefined && day >= 1 && day <= last
}
