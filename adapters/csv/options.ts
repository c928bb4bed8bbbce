import { z } from 'zod'
import { DATE_FORMATS } from '../../tables/dates.ts'
import { bookingOption } from '../options.ts'

/** The formats of numbers and dates in all files of a source, found where they are missing, and how its demand is booked. */
export const csvOptions = z.strictObject({
  decimal: z.enum(['.', ',']).optional(),
  date_format: z.enum(DATE_FORMATS).optional(),
  booking: bookingOption,
})

export type Format = z.infer<typeof csvOptions>
