import { z } from 'zod'
import { Refusal } from '../../errors.ts'
import { endpoint } from '../http/endpoint.ts'
import { code } from '../http/fields.ts'
import { listEndpoint, type ServicePage } from '../http/page.ts'
import { fromId } from '../http/ids.ts'
import { send } from '../../services.ts'
import {
  Delivery,
  DeliveryStatus,
  EventTypeName,
  NewWebhook,
  type ServiceDelivery,
  type ServiceWebhook,
  toDelivery,
  toWebhook,
  Webhook,
  WebhookStatus,
} from './to-webhook.ts'

const SERVICE = 'WebhooksService'
const scopes = ['webhooks:manage'] as const

const webhookOf = ({ id }: Record<string, string>) => ({ ID: fromId('wh', id) })
const exists = (params: Record<string, string>) => send(SERVICE, 'find', webhookOf(params))

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
    const webhook = await send<ServiceWebhook>(SERVICE, 'add', { url, types: events ?? null })
    return { ...toWebhook(webhook), secret: webhook.secret }
  },
})

const list = listEndpoint({
  path: '/webhooks',
  summary: 'Lists webhooks, newest first',
  scopes,
  row: Webhook,
  toJson: toWebhook,
  fetch: (page) => send<ServicePage<ServiceWebhook>>(SERVICE, 'list', page),
})

const show = endpoint({
  method: 'get',
  path: '/webhooks/:id',
  summary: 'Shows a webhook',
  scopes,
  answers: { 200: Webhook },
  errors: ['not_found'],
  exists,
  json: async ({ params }) => toWebhook(await send(SERVICE, 'find', webhookOf(params))),
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
    const data = { ...webhookOf(params), url, types: events, status }
    return toWebhook(await send(SERVICE, 'change', data))
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
  json: ({ params }) => send(SERVICE, 'remove', webhookOf(params)),
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
    const webhook = await send<ServiceWebhook>(SERVICE, 'rotate', webhookOf(params))
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
  async fetch(page, { status = null }, params) {
    await exists(params)
    const of = { ...webhookOf(params), status }
    return send<ServicePage<ServiceDelivery>>(SERVICE, 'deliveries', { ...of, ...page })
  },
})

const deliveryOf = (params: Record<string, string>) => {
  const event = /^evt_([0-9a-f]{28})$/.exec(params.delivery ?? '')?.[1]
  if (!event) throw new Refusal('not_found', 'There is no such delivery.')
  return { ...webhookOf(params), event }
}

const replay = endpoint({
  method: 'post',
  path: '/webhooks/:id/deliveries/:delivery/replay',
  summary: 'Sends a delivery once more',
  scopes,
  bodyOptional: true,
  answers: { 202: Delivery },
  errors: ['not_found'],
  exists: async (params) => send(SERVICE, 'delivery', deliveryOf(params)),
  json: async ({ params }) => toDelivery(await send(SERVICE, 'replay', deliveryOf(params))),
})

export const webhookEndpoints = [create, list, show, change, remove, rotate, deliveries, replay]
