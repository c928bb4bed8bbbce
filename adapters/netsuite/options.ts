import { z } from 'zod'
import {
  bookingOption,
  httpOptions,
  timeZoneOption,
  transferDemandOption,
  wholeNumber,
} from '../options.ts'

/** Options of a source: README.md. */
export const netsuiteOptions = z.strictObject({
  auth: z.enum(['authorization_code', 'client_credentials']).default('authorization_code'),
  /** The `kid` of a certificate that is mapped to a user and a role. */
  certificate_id: z
    .string()
    .regex(/^[\w.-]{1,200}$/, 'must be the Certificate ID that NetSuite shows')
    .optional(),
  /** Hours for which a refresh token lives, as the integration record says. */
  refresh_token_hours: wholeNumber(1, 720).default(168),
  /** The time zone of the user's dates; unknown: a read looks back half a day further. */
  time_zone: timeZoneOption,
  booking: bookingOption,
  transfer_demand: transferDemandOption,
  history_days: wholeNumber(1, 3650).default(730),
  page_size: wholeNumber(1, 1000).default(1000),
  ...httpOptions,
  /** All integrations of an account share its requests: two is what one may take. */
  concurrency: wholeNumber(1, 5).default(1),
})

export type NetsuiteOptions = z.infer<typeof netsuiteOptions>
