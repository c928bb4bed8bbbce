import { z } from 'zod'

export const DATE_FORMATS = [
  'YYYY-MM-DD',
  'DD.MM.YYYY',
  'MM/DD/YYYY',
  'DD/MM/YYYY',
  'YYYYMMDD',
] as const

/** The formats of numbers and dates in all files of a source. */
export const csvOptions = z.strictObject({
  decimal: z.enum(['.', ',']).default('.'),
  date_format: z.enum(DATE_FORMATS).default('YYYY-MM-DD'),
})

export type Format = z.infer<typeof csvOptions>
