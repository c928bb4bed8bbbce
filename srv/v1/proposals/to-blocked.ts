import { z } from 'zod'

export const BlockedPair = z
  .object({
    sku: z.string(),
    location: z.string(),
    reason: z.string(),
    missing: z.enum(['lead_time', 'stock', 'supplier', 'unit_conversion', 'cost']),
  })
  .meta({ id: 'BlockedPair' })

type BlockedPair = z.infer<typeof BlockedPair>

/** From a row of restock.BlockedPairs. */
export const toBlockedPair = ({ sku, location, reason, missing }: BlockedPair): BlockedPair => ({
  sku,
  location,
  reason,
  missing,
})
