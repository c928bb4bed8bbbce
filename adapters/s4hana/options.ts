import { z } from 'zod'
import { bookingOption, flag, httpOptions, timeZoneOption, wholeNumber } from '../options.ts'
import { DEFAULT_MOVEMENTS, parseMovements } from './demand/movements.ts'

/** Options of a source: docs/guides/s4hana.md. */
export const s4hanaOptions = z.strictObject({
  auth: z.enum(['authorization_code', 'basic', 'client_credentials']).default('authorization_code'),
  /** Whether PKCE is sent; servers that do not know it ignore it. */
  pkce: flag.default(true),
  /** What the server calls itself in the `iss` of its answers, where that is at another origin. */
  issuer: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .max(500)
    .optional(),
  sap_client: z
    .string()
    .regex(/^\d{3}$/, 'must be a client of three digits')
    .optional(),
  /** Language of names, ISO 639-1. */
  language: z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'must be a language of two letters')
    .transform((text) => text.toUpperCase())
    .default('EN'),
  /** `auto`: V2 with goods receipts where there are scopes, else V4 if the system offers it. */
  purchase_orders: z.enum(['auto', 'v4', 'v2']).default('auto'),
  /** Whether sales orders are read; false where nobody may grant their service. */
  sales_orders: flag.default(true),
  /** Whether reservations are read; unless given, a communication user tries, and no scope is asked for. */
  reservations: flag.optional(),
  /** The same of planned independent requirements, the ERP's own forecast. */
  planned_requirements: flag.optional(),
  /** The same of purchase requisitions … */
  requisitions: flag.optional(),
  /** … of planned orders … */
  planned_orders: flag.optional(),
  /** … of purchase contracts … */
  contracts: flag.optional(),
  /** … of scheduling agreements … */
  scheduling_agreements: flag.optional(),
  /** … and of batches, which say until when stock can be sold. */
  batches: flag.optional(),
  /** The same of what suppliers confirm of purchase orders. */
  confirmations: flag.optional(),
  /** The same of company codes, whose country is that of their plants. */
  countries: flag.optional(),
  demand: z.enum(['goods_movements', 'deliveries']).default('goods_movements'),
  booking: bookingOption,
  time_zone: timeZoneOption,
  /** Movement types that are demand, each with its sign. */
  movements: z
    .string()
    .refine((text) => parseMovements(text) !== null, 'must be like +601,-602,+201,-202')
    .default(DEFAULT_MOVEMENTS),
  history_days: wholeNumber(1, 3650).default(730),
  /** Rows of a page; documents with their lines have pages of at most `document_page_size`. */
  page_size: wholeNumber(1, 5000).default(5000),
  document_page_size: wholeNumber(1, 1000).default(1000),
  /** `concurrency` defaults to 4 for the public cloud and 2 for other systems. */
  ...httpOptions,
})

export type S4hanaOptions = z.infer<typeof s4hanaOptions>
