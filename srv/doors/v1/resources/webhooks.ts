import cds from '@sap/cds'
import { z } from 'zod'
import {
  EVENT_TYPES,
  type EventRow,
  fromPosition,
  numberEvents,
  readEvents,
  toPosition,
} from '../../../base/database/events.ts'
import { Refusal } from '../../../base/errors.ts'
import { code, codesOf, repeatable } from '../../../base/input.ts'
import { visibleEvents } from '../../../domain/authority/index.ts'
import * as webhooks from '../../../domain/webhooks/index.ts'
import type { DeliveryRow, WebhookRow } from '../../../domain/webhooks/index.ts'
import { endpoint } from '../http/endpoint.ts'
import { fieldMap, fieldsOf } from '../http/field-map.ts'
import { fromId, toId } from '../http/ids.ts'
import { boundTo, fromCursor, listEndpoint, pageSchema, paging, toCursor } from '../http/page.ts'

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

const field = fieldsOf<WebhookRow>()

const [Webhook, toWebhook] = fieldMap<WebhookRow>()('Webhook', {
  id: field('ID', z.string(), (ID) => toId('wh', ID)),
  url: z.string(),
  events: field('types', z.array(EventTypeName), (types) => types ?? EVENT_TYPES),
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

const scopes = ['webhooks:manage'] as const

const webhookOf = ({ id }: Record<string, string>) => fromId('wh', id)
const exists = (params: Record<string, string>) => webhooks.findWebhook(webhookOf(params))

const url = code().max(2000)
const events = z.array(EventTypeName).min(1)

const create = endpoint({
  method: 'post',
  path: '/webhooks',
  summary: 'Adds a webhook, which receives all events of its types from now on',
  scopes,
  body: z.strictObject({ url, events: events.optional() }),
  example: { body: { url: 'https://erp.acme.com/hooks/restock', events: ['proposal.approved'] } },
  answers: { 201: NewWebhook },
  errors: ['webhook_target_refused'],
  async json({ body: { url, events } }) {
    const webhook = await webhooks.addWebhook({ url, types: events ?? null })
    return { ...toWebhook(webhook), secret: webhook.secret }
  },
})

const list = listEndpoint({
  path: '/webhooks',
  summary: 'Lists webhooks, newest first',
  scopes,
  row: Webhook,
  toJson: toWebhook,
  fetch: webhooks.listWebhooks,
})

const show = endpoint({
  method: 'get',
  path: '/webhooks/:id',
  summary: 'Shows a webhook',
  scopes,
  answers: { 200: Webhook },
  errors: ['not_found'],
  exists,
  json: async ({ params }) => toWebhook(await exists(params)),
})

const change = endpoint({
  method: 'patch',
  path: '/webhooks/:id',
  summary: 'Changes a webhook; activating it sends the events that it has missed',
  scopes,
  body: z.strictObject({
    url: url.optional(),
    events: events.optional(),
    status: WebhookStatus.optional(),
  }),
  example: { body: { events: ['proposal.approved', 'proposal.cancelled'] } },
  answers: { 200: Webhook },
  errors: ['not_found', 'webhook_target_refused'],
  exists,
  async json({ params, body: { url, events, status } }) {
    const ID = webhookOf(params)
    return toWebhook(await webhooks.changeWebhook({ ID, url, types: events, status }))
  },
})

const remove = endpoint({
  method: 'delete',
  path: '/webhooks/:id',
  summary: 'Removes a webhook and its deliveries',
  scopes,
  answers: { 204: null },
  errors: ['not_found'],
  exists,
  json: ({ params }) => webhooks.removeWebhook(webhookOf(params)),
})

const rotate = endpoint({
  method: 'post',
  path: '/webhooks/:id/rotate',
  summary: 'Creates a new secret; for 24 hours calls are signed with the old one too',
  scopes,
  bodyOptional: true,
  answers: { 200: NewWebhook.extend({ old_secret_expires_at: z.iso.datetime() }) },
  errors: ['not_found'],
  exists,
  async json({ params }) {
    const webhook = await webhooks.rotateSecret(webhookOf(params))
    const { secret, oldExpiresAt } = webhook
    return { ...toWebhook(webhook), secret, old_secret_expires_at: oldExpiresAt }
  },
})

const deliveries = listEndpoint({
  path: '/webhooks/:id/deliveries',
  summary: 'Lists the deliveries of a webhook, newest event first',
  scopes,
  filters: { status: DeliveryStatus.optional() },
  row: Delivery,
  toJson: toDelivery,
  errors: ['not_found'],
  exists,
  fetch: (page, { status }, params) =>
    webhooks.listDeliveries({ ID: webhookOf(params), status, ...page }),
})

const deliveryOf = (params: Record<string, string>): [number, string] => {
  const event = /^evt_([0-9a-f]{28})$/.exec(params.delivery ?? '')?.[1]
  if (!event) throw new Refusal('not_found', 'There is no such delivery.')
  return [webhookOf(params), event]
}

const replay = endpoint({
  method: 'post',
  path: '/webhooks/:id/deliveries/:delivery/replay',
  summary: 'Sends a delivery once more',
  scopes,
  bodyOptional: true,
  answers: { 202: Delivery },
  errors: ['not_found'],
  exists: async (params) => webhooks.findDelivery(...deliveryOf(params)),
  json: async ({ params }) => toDelivery(await webhooks.replayDelivery(...deliveryOf(params))),
})

export const webhookEndpoints = [create, list, show, change, remove, rotate, deliveries, replay]

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
