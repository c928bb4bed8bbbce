import { z } from 'zod'
import { toDecimal } from '../../store/numbers.ts'
import { fieldMap, fieldsOf } from '../http/field-map.ts'
import { type KeyRow } from './rows.ts'
import { SCOPES } from './scopes.ts'

const field = fieldsOf<KeyRow>()

export const [Key, toKeyJson] = fieldMap<KeyRow>()('Key', {
  id: field('ID', z.string()),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  acts_as: z.string().nullable(),
  max_order_value: field('maxOrderValue', z.string().nullable(), (value) => toDecimal(value, 2)),
  created_at: z.iso.datetime(),
  created_by: z.string(),
  expires_at: z.iso.datetime(),
  rotated_to: z.string().nullable(),
})
