import { z } from 'zod'

export const DATE_FORMATS = [
  'YYYY-MM-DD',
  'DD.MM.YYYY',
  'MM/DD/YYYY',
  'DD/MM/YYYY',
  'YYYYMMDD',
] as const

/** How numbers and dates are written, in all files of a source: declared, never guessed. */
export const csvOptions = z.strictObject({
  decimal: z.enum(['.', ',']).default('.'),
  date_format: z.enum(DATE_FORMATS).default('YYYY-MM-DD'),
})

export type Format = z.infer<typeof csvOptions>
