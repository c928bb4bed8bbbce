import { z } from 'zod'
import { toDecimal } from '../../store/numbers.ts'
import { type KeyRow } from './rows.ts'
import { SCOPES } from './scopes.ts'

export const Key = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(z.enum(SCOPES)),
    acts_as: z.string().nullable(),
    max_order_value: z.string().nullable(),
    created_at: z.iso.datetime(),
    created_by: z.string(),
    expires_at: z.iso.datetime(),
    rotated_to: z.string().nullable(),
  })
  .meta({ id: 'Key' })

export const toKeyJson = (row: KeyRow): z.infer<typeof Key> => ({
  id: row.ID,
  name: row.name,
  scopes: row.scopes,
  acts_as: row.actsAs,
  max_order_value: toDecimal(row.maxOrderValue, 2),
  created_at: row.createdAt,
  created_by: row.createdBy,
  expires_at: row.expiresAt,
  rotated_to: row.rotatedTo,
})
