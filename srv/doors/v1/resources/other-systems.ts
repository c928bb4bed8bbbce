// How other systems take part: keys of /v1, webhooks, and the events that they are sent.
import { z } from 'zod'
import cds from '@sap/cds'
import {
  EVENT_TYPES,
  type EventRow,
  fromPosition,
  numberEvents,
  readEvents,
  toPosition,
} from '../../../base/database/events.ts'
import { toDecimal } from '../../../base/database/rows.ts'
import { Refusal } from '../../../base/errors.ts'
import { code, codesOf, future, repeatable } from '../../../base/input.ts'
import { visibleEvents } from '../../../domain/authority/index.ts'
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
import * as webhooks from '../../../domain/webhooks/index.ts'
import type { DeliveryRow, WebhookRow } from '../../../domain/webhooks/index.ts'
import { endpoint, type Named } from '../http/endpoint.ts'
import { fieldMap, fieldsOf, fromId, named, toElements, toId } from '../http/field-map.ts'
import { boundTo, fromCursor, listEndpoint, pageSchema, paging, toCursor } from '../http/page.ts'

const managesKeys = ['keys:manage'] as const
const ofKeys: Named = { error: 'not_found', find: ({ id }) => findKey(id!) }

const ofKey = fieldsOf<KeyRow>()

const [Key, toKeyJson] = fieldMap<KeyRow>()('Key', {
  id: ofKey('ID', z.string()),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  acts_as: z.string().nullable(),
  max_order_value: ofKey('maxOrderValue', z.string().nullable(), (value) => toDecimal(value, 2)),
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
  scopes: managesKeys,
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
  scopes: managesKeys,
  row: Key,
  toJson: toKeyJson,
  fetch: listKeys,
})

const deleteKey = endpoint({
  method: 'delete',
  path: '/keys/:id',
  summary: 'Revokes a key; every instance refuses it within 30 seconds',
  scopes: managesKeys,
  answers: { 204: null },
  of: ofKeys,
  json: ({ params: { id } }) => revokeKey(id!),
})

const rotateKeyOf = endpoint({
  method: 'post',
  path: '/keys/:id/rotate',
  summary: 'Rotates a key; the old one works for at most 24 more hours',
  scopes: managesKeys,
  bodyOptional: true,
  answers: { 201: NewKey.extend({ old_key_expires_at: z.iso.datetime() }) },
  of: ofKeys,
  async json({ params: { id } }) {
    const rotated = await rotateKey(id!)
    const { key, oldKeyExpiresAt } = rotated
    return { ...toKeyJson(rotated), key, old_key_expires_at: oldKeyExpiresAt }
  },
})

export const keyEndpoints = [createKey, getKeys, deleteKey, rotateKeyOf]

const EventTypeName = z.enum(EVENT_TYPES)
const WebhookStatus = codesOf<WebhookRow['status']>({
  active: true,
  disabled: true,
})
const DisabledReason = codesOf<NonNullable<WebhookRow['disabledReason']>>({
  gone: true,
  failing: true,
  by_request: true,
})
const DeliveryStatus = codesOf<DeliveryRow['status']>({
  pending: true,
  succeeded: true,
  failed: true,
})

const ofWebhook = fieldsOf<WebhookRow>()

const [Webhook, toWebhook] = fieldMap<WebhookRow>()('Webhook', {
  id: ofWebhook('ID', z.string(), (ID) => toId('wh', ID)),
  url: z.string(),
  events: ofWebhook('types', z.array(EventTypeName), (types) => types ?? EVENT_TYPES),
  status: WebhookStatus,
  disabled_reason: DisabledReason.nullable(),
  failing_since: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  created_by: z.string(),
})

const NewWebhook = Webhook.extend({
  secret: z
    .string()
    .optional()
    .describe('Shown only once; the answer to a repeated call lacks it.'),
})

const sent = fieldsOf<DeliveryRow>()

const [Delivery, toDelivery] = fieldMap<DeliveryRow>()('Delivery', {
  id: sent(
    'event',
    z.string().describe('The id of the event, which is the webhook-id of its calls.'),
    (event) => `evt_${event}`,
  ),
  type: EventTypeName,
  status: DeliveryStatus,
  attempts: z.int(),
  response_status: z.int().nullable(),
  problem: z.string().nullable().describe('200 characters at most.'),
  last_attempt_at: z.iso.datetime().nullable(),
  next_attempt_at: sent('nextAttemptAt', z.iso.datetime().nullable(), (at, { status }) =>
    status === 'pending' ? at : null,
  ),
})

const managesWebhooks = ['webhooks:manage'] as const

const webhookOf = ({ id }: Record<string, string>) => fromId('wh', id)
const ofWebhooks = named('wh', webhooks.findWebhook)

const url = code().max(2000)
const events = z.array(EventTypeName).min(1)

const createWebhook = endpoint({
  method: 'post',
  path: '/webhooks',
  summary: 'Adds a webhook, which receives all events of its types from now on',
  scopes: managesWebhooks,
  body: z.strictObject({ url, events: events.optional() }),
  example: { body: { url: 'https://erp.acme.com/hooks/restock', events: ['proposal.approved'] } },
  answers: { 201: NewWebhook },
  errors: ['webhook_target_refused'],
  async json({ body: { url, events } }) {
    const webhook = await webhooks.addWebhook({ url, types: events ?? null })
    return { ...toWebhook(webhook), secret: webhook.secret }
  },
})

const listWebhooks = listEndpoint({
  path: '/webhooks',
  summary: 'Lists webhooks, newest first',
  scopes: managesWebhooks,
  row: Webhook,
  toJson: toWebhook,
  fetch: webhooks.listWebhooks,
})

const showWebhook = endpoint({
  method: 'get',
  path: '/webhooks/:id',
  summary: 'Shows a webhook',
  scopes: managesWebhooks,
  answers: { 200: Webhook },
  of: ofWebhooks,
  json: async ({ params }) => toWebhook(await ofWebhooks.find(params)),
})

const changeWebhook = endpoint({
  method: 'patch',
  path: '/webhooks/:id',
  summary: 'Changes a webhook; activating it sends the events that it has missed',
  scopes: managesWebhooks,
  body: z.strictObject({
    url: url.optional(),
    events: events.optional(),
    status: WebhookStatus.optional(),
  }),
  example: { body: { events: ['proposal.approved', 'proposal.cancelled'] } },
  answers: { 200: Webhook },
  of: ofWebhooks,
  errors: ['webhook_target_refused'],
  async json({ params, body: { url, events, status } }) {
    const ID = webhookOf(params)
    return toWebhook(await webhooks.changeWebhook({ ID, url, types: events, status }))
  },
})

const removeWebhook = endpoint({
  method: 'delete',
  path: '/webhooks/:id',
  summary: 'Removes a webhook and its deliveries',
  scopes: managesWebhooks,
  answers: { 204: null },
  of: ofWebhooks,
  json: ({ params }) => webhooks.removeWebhook(webhookOf(params)),
})

const rotateSecret = endpoint({
  method: 'post',
  path: '/webhooks/:id/rotate',
  summary: 'Creates a new secret; for 24 hours calls are signed with the old one too',
  scopes: managesWebhooks,
  bodyOptional: true,
  answers: { 200: NewWebhook.extend({ old_secret_expires_at: z.iso.datetime() }) },
  of: ofWebhooks,
  async json({ params }) {
    const webhook = await webhooks.rotateSecret(webhookOf(params))
    const { secret, oldExpiresAt } = webhook
    return { ...toWebhook(webhook), secret, old_secret_expires_at: oldExpiresAt }
  },
})

const deliveries = listEndpoint({
  path: '/webhooks/:id/deliveries',
  summary: 'Lists the deliveries of a webhook, newest event first',
  scopes: managesWebhooks,
  filters: { status: DeliveryStatus.optional() },
  row: Delivery,
  toJson: toDelivery,
  of: ofWebhooks,
  fetch: (page, { status }, params) =>
    webhooks.listDeliveries({ ID: webhookOf(params), status, ...page }),
})

const deliveryOf = (params: Record<string, string>): [number, string] => {
  const event = /^evt_([0-9a-f]{28})$/.exec(params.delivery ?? '')?.[1]
  if (!event) throw new Refusal('not_found', 'There is no such delivery.')
  return [webhookOf(params), event]
}

const ofDeliveries: Named = {
  error: 'not_found',
  find: async (params) => webhooks.findDelivery(...deliveryOf(params)),
}

const replay = endpoint({
  method: 'post',
  path: '/webhooks/:id/deliveries/:delivery/replay',
  summary: 'Sends a delivery once more',
  scopes: managesWebhooks,
  bodyOptional: true,
  answers: { 202: Delivery },
  of: ofDeliveries,
  json: async ({ params }) => toDelivery(await webhooks.replayDelivery(...deliveryOf(params))),
})

export const webhookEndpoints = [
  createWebhook,
  listWebhooks,
  showWebhook,
  changeWebhook,
  removeWebhook,
  rotateSecret,
  deliveries,
  replay,
]

const Event = z
  .object({
    id: z.string(),
    type: EventTypeName,
    timestamp: z.iso.datetime(),
    data: z.looseObject({ id: z.string() }),
  })
  .meta({ id: 'Event' })

const toEvent = ({ ID, type, at, data }: EventRow): z.infer<typeof Event> => ({
  id: `evt_${ID}`,
  type,
  timestamp: at,
  data: JSON.parse(data) as z.infer<typeof Event>['data'],
})

const getEvents = endpoint({
  method: 'get',
  path: '/events',
  summary:
    'Lists events, oldest first; next_cursor is always given, and later calls continue from it',
  scopes: ['webhooks:manage'],
  query: z.strictObject({ ...paging, types: repeatable(EventTypeName).optional() }),
  answers: { 200: pageSchema(Event).extend({ next_cursor: z.string() }) },
  errors: ['invalid_cursor'],
  async handle({ path, query: { limit, cursor, types } }) {
    const list = boundTo(path, { types: types?.toSorted() })
    const after = cursor === undefined ? null : fromCursor(list, cursor)
    await numberEvents()
    const { rows, next, hasMore } = await readEvents(toPosition(after), types ?? null, limit)
    const next_cursor = toCursor(list, fromPosition(next))
    const data = (await visibleEvents(cds.context!.user, rows)).map(toEvent)
    return { status: 200, body: { data, next_cursor, has_more: hasMore } }
  },
})

export const eventEndpoints = [getEvents]
