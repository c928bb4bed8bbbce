import { z } from 'zod'
import { EVENT_TYPES } from '../../store/events/publish.ts'
import type { ServiceRow } from '../../store/service-row.ts'
import type { Webhook as WebhookRow, WebhookDelivery } from '#cds-models/restock'
import { fieldMap, fieldsOf } from '../http/field-map.ts'
import { codesOf } from '../http/fields.ts'
import { toId } from '../http/ids.ts'

export const EventTypeName = z.enum(EVENT_TYPES)
export const WebhookStatus = codesOf<NonNullable<WebhookRow['status']>>({
  active: true,
  disabled: true,
})
const DisabledReason = codesOf<NonNullable<WebhookRow['disabledReason']>>({
  gone: true,
  failing: true,
  by_request: true,
})
export const DeliveryStatus = codesOf<NonNullable<WebhookDelivery['status']>>({
  pending: true,
  succeeded: true,
  failed: true,
})

/** A webhook as WebhooksService answers it. */
export type ServiceWebhook = ServiceRow<WebhookRow> & { secret?: string; oldExpiresAt?: string }

const field = fieldsOf<ServiceWebhook>()

export const [Webhook, toWebhook] = fieldMap<ServiceWebhook>()('Webhook', {
  id: field('ID', z.string(), (ID) => toId('wh', ID)),
  url: z.string(),
  events: field('types', z.array(EventTypeName), (types) => types ?? EVENT_TYPES),
  status: WebhookStatus,
  disabled_reason: DisabledReason.nullable(),
  failing_since: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  created_by: z.string(),
})

export const NewWebhook = Webhook.extend({
  secret: z
    .string()
    .optional()
    .describe('Shown only once; the answer to a repeated call lacks it.'),
})

/** A delivery as WebhooksService answers it. */
export type ServiceDelivery = ServiceRow<WebhookDelivery>

const sent = fieldsOf<ServiceDelivery>()

export const [Delivery, toDelivery] = fieldMap<ServiceDelivery>()('Delivery', {
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
