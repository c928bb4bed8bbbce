// From events to deliveries: each event once for each webhook that asks for its type.
import cds from '@sap/cds'
import {
  type EventRow,
  fromPosition,
  newestPosition,
  readEvents,
  toPosition,
} from '../store/events/event-log.ts'
import { readAs, WebhookDeliveries, Webhooks } from '../store/entities.ts'
import { eventsFor } from './owner.ts'
import { iso, type WebhookRow } from './rows.ts'

const CHUNK = 1000

/** All of them, or this one if it is. */
export const activeWebhooks = async (ID?: number): Promise<WebhookRow[]> =>
  readAs<WebhookRow>(
    SELECT.from(Webhooks)
      .where({ status: 'active', ...(ID && { ID }) })
      .orderBy('ID'),
  )

/** Makes the deliveries of all events that are readable. It must not be called inside a transaction. */
export async function createDeliveries(webhooks: WebhookRow[]) {
  const newest = fromPosition(await newestPosition())
  for (const webhook of webhooks) {
    let position: string | null = webhook.position
    while (position && position !== newest)
      position = await advanceWebhook({ ...webhook, position })
  }
}

/** The position and what was passed are moved together: of several instances one does it. @returns it, null at the end */
async function advanceWebhook(webhook: WebhookRow): Promise<string | null> {
  const { ID, position, status } = webhook
  return await cds.tx(async () => {
    const asBefore = { ID, position, status }
    const present = await readAs<Pick<WebhookRow, 'types'>>(
      SELECT.one.from(Webhooks).columns('types').where(asBefore).forUpdate(),
    )
    if (!present) return null
    const page = await readEvents(toPosition(position), present.types, CHUNK)
    const next = fromPosition(page.next)
    const moved: unknown = await UPDATE.entity(Webhooks).set({ position: next }).where(asBefore)
    if (moved !== 1) return null
    const rows = await eventsFor(webhook, page.rows)
    if (rows.length) await INSERT.into(WebhookDeliveries).entries(rows.map(toDelivery(ID)))
    return page.hasMore ? next : null
  })
}

const toDelivery =
  (webhook: number) =>
  ({ ID, type }: EventRow) => ({
    ...{ webhook, event: ID, type, status: 'pending' as const, attempts: 0, retries: 0 },
    nextAttemptAt: iso(Date.now()),
  })
