import { z } from 'zod'
import {
  bookingOption,
  httpOptions,
  timeZoneOption,
  transferDemandOption,
  wholeNumber,
} from '../options.ts'

/** Options of a source: README.md. */
export const trytonOptions = z.strictObject({
  /** Database; the last part of the address unless given. */
  database: z
    .string()
    .regex(/^[\w.-]{1,63}$/, 'must be the name of a database')
    .optional(),
  /** Number of the company that is read; the one that the user works for unless given. */
  company: wholeNumber(1, 2 ** 31).optional(),
  /** Language of names as Tryton calls it, such as en or de. */
  language: z
    .string()
    .regex(/^[a-z]{2,3}(_[A-Z]{2})?$/, 'must be a language such as en or pt_BR')
    .default('en'),
  transfer_demand: transferDemandOption,
  booking: bookingOption,
  time_zone: timeZoneOption,
  history_days: wholeNumber(1, 3650).default(730),
  page_size: wholeNumber(1, 5000).default(2000),
  ...httpOptions,
})

export type TrytonOptions = z.infer<typeof trytonOptions>
