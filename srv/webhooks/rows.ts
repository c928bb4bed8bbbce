import type { EventType } from '../store/events/publish.ts'
import { WebhookDeliveries } from '../store/entities.ts'
import { INSTANCE, type Lease } from '../store/lease.ts'

export type DisabledReason = 'gone' | 'failing' | 'by_request'

/** A row of restock.Webhooks; timestamps in ISO 8601. */
export interface WebhookRow {
  ID: number
  url: string
  /** Null for all. */
  types: EventType[] | null
  status: 'active' | 'disabled'
  disabledReason: DisabledReason | null
  failingSince: string | null
  position: string
  createdAt: string
  createdBy: string
}

/** A row of restock.WebhookDeliveries. */
export interface DeliveryRow {
  webhook: number
  event: string
  type: EventType
  status: 'pending' | 'succeeded' | 'failed'
  attempts: number
  retries: number
  nextAttemptAt: string
  lastAttemptAt: string | null
  responseStatus: number | null
  problem: string | null
}

export const iso = (time: number) => new Date(time).toISOString()

/** Whoever sends a delivery holds this. */
export const leaseOf = ({ webhook, event }: DeliveryRow): Lease => ({
  entity: WebhookDeliveries,
  key: { webhook, event },
  owner: INSTANCE,
})
