import { z } from 'zod'
import { bookingOption, flag, httpOptions, timeZoneOption, wholeNumber } from '../options.ts'

/** Options of a source: README.md. */
export const businessOneOptions = z.strictObject({
  /** Whether invoices that were not made from a delivery are demand, less their credit memos. */
  invoices: flag.default(true),
  /** Whether goods issues, such as those for production, are demand. */
  goods_issues: flag.default(false),
  /** The price list that says what suppliers ask; the average cost unless given. */
  price_list: wholeNumber(1, 9999).optional(),
  /** Code of the stored SQL query that says what lies of each batch that expires; without it batches are not read. */
  batches_query: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'must be the code of a stored query: letters, digits, _ and -')
    .optional(),
  /** Of the company; what the average cost is in. */
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code')
    .optional(),
  booking: bookingOption,
  time_zone: timeZoneOption,
  history_days: wholeNumber(1, 3650).default(730),
  page_size: wholeNumber(20, 5000).default(500),
  ...httpOptions,
})

export type BusinessOneOptions = z.infer<typeof businessOneOptions>
