import { z } from 'zod'
import type { BlockedPair as Stored } from '#cds-models/ProposalsService'
import type { Answered } from '../../store/answered.ts'

export const BlockedPair = z
  .object({
    sku: z.string(),
    location: z.string(),
    reason: z.string(),
    missing: z.enum(['lead_time', 'stock', 'supplier', 'unit_conversion', 'cost']),
  })
  .meta({ id: 'BlockedPair' })

export type ServiceBlockedPair = Answered<Stored>

export const toBlockedPair = ({
  sku,
  location,
  reason,
  missing,
}: ServiceBlockedPair): z.infer<typeof BlockedPair> => ({ sku, location, reason, missing })
