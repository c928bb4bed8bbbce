import { z } from 'zod'
import type { BlockedPair as Stored } from '#cds-models/ProposalsService'
import type { ServiceRow } from '../../store/service-row.ts'
import { fieldMap } from '../http/field-map.ts'

export type ServiceBlockedPair = ServiceRow<Stored>

export const [BlockedPair, toBlockedPair] = fieldMap<ServiceBlockedPair>()('BlockedPair', {
  sku: z.string(),
  location: z.string(),
  reason: z.string(),
  missing: z.enum(['lead_time', 'stock', 'supplier', 'unit_conversion', 'cost']),
})
