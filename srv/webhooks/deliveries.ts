// The log of what was sent, and asking for it once more.
import { Refusal } from '../errors.ts'
import { writeAuditLog } from '../store/audit.ts'
import { findWebhook } from './manage.ts'
import { readAs, WebhookDeliveries } from '../store/entities.ts'
import { type DeliveryRow, iso } from './rows.ts'
import { toPage } from '../store/page.ts'

/** A try under way no longer counts. */
const NOT_HELD = { owner: null, leaseUntil: null }

interface ListQuery {
  ID: number
  status?: DeliveryRow['status'] | null
  /** The last event seen. */
  after?: string | null
  limit: number
}

/** Newest event first. */
export async function listDeliveries({ ID, status, after, limit }: ListQuery) {
  const query = SELECT.from(WebhookDeliveries)
    .where({ webhook: ID })
    .limit(limit + 1)
  if (status) void query.where({ status })
  if (after) void query.where({ event: { '<': after } })
  const rows = await readAs<DeliveryRow>(query.orderBy('event desc'))
  return toPage(rows, limit, ({ event }) => event)
}

/** @throws Refusal not_found */
export async function findDelivery(ID: number, event: string): Promise<DeliveryRow> {
  const row = await readAs<DeliveryRow>(
    SELECT.one.from(WebhookDeliveries).where({ webhook: ID, event }),
  )
  if (!row) throw new Refusal('not_found', 'There is no such delivery.')
  return row
}

/**
 * Sends an event once more, now, whatever became of it; a new plan of tries begins.
 * @throws Refusal not_found
 */
export async function replayDelivery({
  ID,
  event,
}: {
  ID: number
  event: string
}): Promise<DeliveryRow> {
  await findWebhook(ID)
  await findDelivery(ID, event)
  await UPDATE.entity(WebhookDeliveries)
    .set({ ...{ status: 'pending', retries: 0, nextAttemptAt: iso(Date.now()) }, ...NOT_HELD })
    .where({ webhook: ID, event })
  await writeAuditLog('webhook.replayed', `wh_${ID}`, `evt_${event}`)
  return findDelivery(ID, event)
}
