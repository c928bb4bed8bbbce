import { z } from 'zod'
import { bookingOption, httpOptions, timeZoneOption, wholeNumber } from '../options.ts'

/** What may stand in a statement between quotes of identifiers. */
const identifier = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,40}$/, 'must be letters, digits and _, at most 41 of them')

/** Options of a source: README.md. */
export const sqlOptions = z.strictObject({
  /** Where the views are; MariaDB and MySQL call it database, and take the account's. */
  schema: identifier.optional(),
  /** What the names of the views begin with. */
  prefix: identifier.default('restock_'),
  /** Which views have a `changed_at`, by which changes alone are read. */
  changed_at: z.enum(['none', 'movements', 'all']).default('movements'),
  /** A transaction may commit so long after the time that its rows bear. */
  overlap_minutes: wholeNumber(0, 1440).default(10),
  tls: z.enum(['on', 'off']).optional(),
  booking: bookingOption,
  time_zone: timeZoneOption,
  page_size: wholeNumber(1, 5000).default(5000),
  ...httpOptions,
  /** Sessions at a time. */
  concurrency: wholeNumber(1, 16).default(2),
})

export type SqlOptions = z.infer<typeof sqlOptions>
