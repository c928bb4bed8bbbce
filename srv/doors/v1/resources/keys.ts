import { z } from 'zod'
import { Refusal } from '../../../base/errors.ts'
import { toDecimal } from '../../../base/database/rows.ts'
import { endpoint } from '../http/endpoint.ts'
import { fieldMap, fieldsOf, toElements } from '../http/field-map.ts'
import { future } from '../../../base/input.ts'
import { listEndpoint } from '../http/page.ts'
import {
  findKey,
  issueKey,
  type KeyRow,
  listKeys,
  NEW_KEY,
  revokeKey,
  rotateKey,
  SCOPES,
} from '../../../domain/keys/index.ts'

const scopes = ['keys:manage'] as const
const exists = ({ id }: Record<string, string>) => findKey(id!)

const field = fieldsOf<KeyRow>()

const [Key, toKeyJson] = fieldMap<KeyRow>()('Key', {
  id: field('ID', z.string()),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  acts_as: z.string().nullable(),
  max_order_value: field('maxOrderValue', z.string().nullable(), (value) => toDecimal(value, 2)),
  currency: z
    .string()
    .nullable()
    .describe("Of max_order_value; null: the account's, where there is a limit."),
  created_at: z.iso.datetime(),
  created_by: z.string(),
  expires_at: z.iso.datetime(),
  status: z
    .string()
    .describe(
      'active, pending_confirmation, user_left, rotated or expired; others may be added. It decides nothing in the second and third.',
    ),
  confirmed_at: z.iso
    .datetime()
    .nullable()
    .describe('When the person whom it acts as allowed it to decide.'),
  rotated_to: z.string().nullable(),
})

const NewKey = Key.extend({
  key: z.string().optional().describe('Shown only once; the answer to a repeated call lacks it.'),
})

const input = {
  name: NEW_KEY.name,
  scopes: NEW_KEY.scopes,
  acts_as: NEW_KEY.actsAs.optional(),
  max_order_value: NEW_KEY.maxOrderValue.optional(),
  currency: NEW_KEY.currency
    .describe("Of max_order_value; the account's unless said otherwise.")
    .optional(),
  // Documented as before; within a year since keys live no longer.
  expires_in_days: z
    .int()
    .min(1)
    .max(3650)
    .refine((days) => days <= 365, 'must be 365 at most')
    .describe('At most 365.')
    .optional(),
  expires_at: future().describe('Within a year.').optional(),
}

const createKey = endpoint({
  method: 'post',
  path: '/keys',
  summary: 'Issues a key',
  scopes,
  body: z.strictObject(input),
  example: { body: { name: 'Reorder report', scopes: ['forecasts:read', 'proposals:read'] } },
  answers: { 201: NewKey },
  async json({ body }) {
    if (body.expires_in_days && body.expires_at) {
      throw new Refusal('invalid_parameter', 'Give expires_in_days or expires_at, not both.', {
        target: 'expires_at',
      })
    }
    const { name, scopes } = body
    const issued = await issueKey({ ...toElements(input, body), name, scopes })
    return { ...toKeyJson(issued), key: issued.key }
  },
})

const getKeys = listEndpoint({
  path: '/keys',
  summary: 'Lists keys that are not revoked, newest first',
  scopes,
  row: Key,
  toJson: toKeyJson,
  fetch: listKeys,
})

const deleteKey = endpoint({
  method: 'delete',
  path: '/keys/:id',
  summary: 'Revokes a key; every instance refuses it within 30 seconds',
  scopes,
  answers: { 204: null },
  errors: ['not_found'],
  exists,
  json: ({ params: { id } }) => revokeKey(id!),
})

const rotate = endpoint({
  method: 'post',
  path: '/keys/:id/rotate',
  summary: 'Rotates a key; the old one works for at most 24 more hours',
  scopes,
  bodyOptional: true,
  answers: { 201: NewKey.extend({ old_key_expires_at: z.iso.datetime() }) },
  errors: ['not_found'],
  exists,
  async json({ params: { id } }) {
    const rotated = await rotateKey(id!)
    const { key, oldKeyExpiresAt } = rotated
    return { ...toKeyJson(rotated), key, old_key_expires_at: oldKeyExpiresAt }
  },
})

export const keyEndpoints = [createKey, getKeys, deleteKey, rotate]
