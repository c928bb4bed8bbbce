import { z } from 'zod'
import {
  bookingOption,
  httpOptions,
  timeZoneOption,
  transferDemandOption,
  wholeNumber,
} from '../options.ts'

const serviceName = z
  .string()
  .regex(/^[A-Za-z_]\w{0,200}$/, 'must be the name of a web service as it was published')

/** Options of a source: README.md. */
export const businessCentralOptions = z.strictObject({
  auth: z.enum(['authorization_code', 'client_credentials', 'basic']).default('authorization_code'),
  /** The environment in Business Central's administration; not asked for where a base URL is given. */
  environment: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,100}$/, 'must be the name of an environment')
    .default('Production'),
  /** Name or ID of the company; the only one unless given. */
  company: z.string().min(1).max(100).optional(),
  /** Where tokens come from. */
  login_url: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .max(500)
    .default('https://login.microsoftonline.com'),
  /** Web service of the item cards, with the planning fields. */
  planning_service: serviceName.optional(),
  /** Web service of the stockkeeping unit cards, whose planning fields hold at their location alone. */
  sku_planning_service: serviceName.optional(),
  /** Web service of purchase lines, page 6405, with what suppliers promise and what orders cost. */
  purchase_line_service: serviceName.optional(),
  /** Web service of the lines of purchase orders, which say from which blanket order they call off. */
  order_lines_service: serviceName.optional(),
  /** What entries without a location are filed under. */
  blank_location: z.string().min(1).max(100).default('NONE'),
  /** Types of ledger entries that are demand. */
  demand: z.enum(['sales_and_consumption', 'sales']).default('sales_and_consumption'),
  transfer_demand: transferDemandOption,
  booking: bookingOption,
  time_zone: timeZoneOption,
  history_days: wholeNumber(1, 3650).default(730),
  page_size: wholeNumber(50, 5000).default(5000),
  ...httpOptions,
})

export type BusinessCentralOptions = z.infer<typeof businessCentralOptions>
