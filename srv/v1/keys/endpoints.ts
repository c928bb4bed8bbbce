import { z } from 'zod'
import { Refusal } from '../../errors.ts'
import { endpoint } from '../http/endpoint.ts'
import { code, future } from '../http/fields.ts'
import { listEndpoint } from '../http/page.ts'
import { daysFromNow, issueKey } from './issue.ts'
import { assertKey, listKeys, revokeKey, rotateKey } from './manage.ts'
import { SCOPES } from './scopes.ts'
import { Key, toKeyJson } from './to-key.ts'

const scopes = ['keys:manage'] as const
const exists = ({ id }: Record<string, string>) => assertKey(id!)

const NewKey = Key.extend({
  key: z.string().optional().describe('Shown only once; the answer to a repeated call lacks it.'),
})

const createKey = endpoint({
  method: 'post',
  path: '/keys',
  summary: 'Issues a key',
  scopes,
  body: z.strictObject({
    name: code().max(100),
    scopes: z.array(z.enum(SCOPES)).min(1),
    acts_as: code().max(255).optional(),
    max_order_value: z
      .string()
      .regex(/^\d{1,13}(\.\d{1,2})?$/, 'must be a decimal string such as "500.00", not negative')
      .optional(),
    expires_in_days: z.int().min(1).max(3650).optional(),
    expires_at: future().optional(),
  }),
  example: { body: { name: 'Reorder report', scopes: ['forecasts:read', 'proposals:read'] } },
  answers: { 201: NewKey },
  async handle({ body }) {
    const { expires_in_days: days, expires_at } = body
    if (days && expires_at) {
      throw new Refusal('invalid_parameter', 'Give expires_in_days or expires_at, not both.', {
        target: 'expires_at',
      })
    }
    const { key, row } = await issueKey({
      name: body.name,
      scopes: body.scopes,
      actsAs: body.acts_as,
      maxOrderValue: body.max_order_value,
      expiresAt: days ? daysFromNow(days) : expires_at,
    })
    return { status: 201, body: { ...toKeyJson(row), key } }
  },
})

const getKeys = listEndpoint({
  path: '/keys',
  summary: 'Lists keys that are not revoked, newest first',
  scopes,
  row: Key,
  toJson: toKeyJson,
  fetch: ({ after, limit }) => listKeys(after, limit),
})

const deleteKey = endpoint({
  method: 'delete',
  path: '/keys/:id',
  summary: 'Revokes a key; every instance refuses it within 30 seconds',
  scopes,
  answers: { 204: null },
  errors: ['not_found'],
  exists,
  async handle({ params: { id } }) {
    await revokeKey(id!)
    return { status: 204 }
  },
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
  async handle({ params: { id } }) {
    const { key, row, oldKeyExpiresAt } = await rotateKey(id!)
    return { status: 201, body: { ...toKeyJson(row), key, old_key_expires_at: oldKeyExpiresAt } }
  },
})

export const keyEndpoints = [createKey, getKeys, deleteKey, rotate]
