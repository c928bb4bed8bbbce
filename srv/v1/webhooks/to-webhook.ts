import { z } from 'zod'
import { EVENT_TYPES, type EventType } from '../../store/events/publish.ts'
import type { Webhook as WebhookRow, WebhookDelivery } from '#cds-models/restock'
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

export const Webhook = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(EventTypeName),
    status: WebhookStatus,
    disabled_reason: DisabledReason.nullable(),
    failing_since: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
    created_by: z.string(),
  })
  .meta({ id: 'Webhook' })

export const NewWebhook = Webhook.extend({
  secret: z
    .string()
    .optional()
    .describe('Shown only once; the answer to a repeated call lacks it.'),
})

/** A webhook as WebhooksService answers it. */
export interface ServiceWebhook {
  ID: number
  url: string
  types: EventType[] | null
  status: z.infer<typeof Webhook>['status']
  disabledReason: z.infer<typeof Webhook>['disabled_reason']
  failingSince: string | null
  createdAt: string
  createdBy: string
  secret?: string
  oldExpiresAt?: string
}

export const toWebhook = (row: ServiceWebhook): z.infer<typeof Webhook> => ({
  id: toId('wh', row.ID),
  url: row.url,
  events: row.types ?? [...EVENT_TYPES],
  status: row.status,
  disabled_reason: row.disabledReason,
  failing_since: row.failingSince,
  created_at: row.createdAt,
  created_by: row.createdBy,
})

export const Delivery = z
  .object({
    id: z.string().describe('The id of the event, which is the webhook-id of its calls.'),
    type: EventTypeName,
    status: DeliveryStatus,
    attempts: z.int(),
    response_status: z.int().nullable(),
    problem: z.string().nullable().describe('200 characters at most.'),
    last_attempt_at: z.iso.datetime().nullable(),
    next_attempt_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Delivery' })

/** A delivery as WebhooksService answers it. */
export interface ServiceDelivery {
  event: string
  type: EventType
  status: z.infer<typeof Delivery>['status']
  attempts: number
  responseStatus: number | null
  problem: string | null
  lastAttemptAt: string | null
  nextAttemptAt: string
}

export const toDelivery = (row: ServiceDelivery): z.infer<typeof Delivery> => ({
  id: `evt_${row.event}`,
  type: row.type,
  status: row.status,
  attempts: row.attempts,
  response_status: row.responseStatus,
  problem: row.problem,
  last_attempt_at: row.lastAttemptAt,
  next_attempt_at: row.status === 'pending' ? row.nextAttemptAt : null,
})
