import { z } from 'zod'
import { bookingOption } from '../options.ts'

export const DATE_FORMATS = [
  'YYYY-MM-DD',
  'DD.MM.YYYY',
  'MM/DD/YYYY',
  'DD/MM/YYYY',
  'YYYYMMDD',
] as const

/** The formats of numbers and dates in all files of a source, and how its demand is booked. */
export const csvOptions = z.strictObject({
  decimal: z.enum(['.', ',']).default('.'),
  date_format: z.enum(DATE_FORMATS).default('YYYY-MM-DD'),
  booking: bookingOption,
})

export type Format = z.infer<typeof csvOptions>
