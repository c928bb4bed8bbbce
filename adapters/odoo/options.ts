import { z } from 'zod'
import {
  bookingOption,
  httpOptions,
  timeZoneOption,
  transferDemandOption,
  wholeNumber,
} from '../options.ts'

/** Options of a source: README.md. */
export const odooOptions = z.strictObject({
  /** Found unless given: JSON-2 from Odoo 19 on, JSON-RPC before. */
  protocol: z.enum(['auto', 'json2', 'jsonrpc']).default('auto'),
  /** Database; needed for JSON-RPC, and where a host has several. */
  database: z
    .string()
    .regex(/^[\w.-]{1,63}$/, 'must be the name of a database')
    .optional(),
  /** Number of the company that is read; the first that the user may see unless given. */
  company: wholeNumber(1, 2 ** 31).optional(),
  /** Which field of a product is its SKU. */
  sku: z.enum(['default_code', 'barcode', 'id']).default('default_code'),
  /** In whose days moves are counted too, since Odoo keeps all times in UTC. */
  time_zone: timeZoneOption.default('UTC'),
  /** Language of names as Odoo calls it. */
  language: z
    .string()
    .regex(/^[a-z]{2,3}(_[A-Z]{2})?$/, 'must be a language such as en_US')
    .default('en_US'),
  transfer_demand: transferDemandOption,
  booking: bookingOption,
  history_days: wholeNumber(1, 3650).default(730),
  page_size: wholeNumber(1, 5000).default(1000),
  ...httpOptions,
})

export type OdooOptions = z.infer<typeof odooOptions>
