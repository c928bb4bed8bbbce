// Parts of the options that adapters accept. The command line gives every value as text.
import { z } from 'zod'

export const wholeNumber = (least: number, most: number) =>
  z.coerce.number().int().min(least).max(most)

export const flag = z.union([
  z.boolean(),
  z.enum(['true', 'false']).transform((text) => text === 'true'),
])

/** What every ERP that is read over HTTP lets its admin choose. */
export const httpOptions = {
  /** Requests under way at once. */
  concurrency: wholeNumber(1, 32).optional(),
  /** PEM file of a certification authority that is trusted besides the usual ones. */
  ca_file: z.string().min(1).optional(),
  /** Longest silence of the ERP. */
  timeout_seconds: wholeNumber(1, 600).default(120),
}
