// From events to deliveries: each event once for each webhook that asks for its type.
import cds from '@sap/cds'
import { runDetached } from '../../base/cap/context.ts'
import { readAs, WebhookDeliveries, Webhooks } from '../../base/database/entities.ts'
import {
  type EventRow,
  fromPosition,
  newestPosition,
  numberEvents,
  readEvents,
  removeOldEvents,
  toPosition,
} from '../../base/database/events.ts'
import { Worker } from '../../base/work/worker.ts'
import { eventsFor } from './manage.ts'
import { iso } from '../../base/time/days.ts'
import type { WebhookRow } from './secrets.ts'
import { acquireDueDeliveries, sendDelivery } from './send.ts'
import type { Resolve } from './post.ts'

const CHUNK = 1000

/** The active webhooks, or only the one with this ID. */
export const activeWebhooks = async (ID?: number): Promise<WebhookRow[]> =>
  readAs<WebhookRow>(
    SELECT.from(Webhooks)
      .where({ status: 'active', ...(ID && { ID }) })
      .orderBy('ID'),
  )

/** Creates the deliveries of all events that are readable. It must not be called inside a transaction. */
export async function createDeliveries(webhooks: WebhookRow[]) {
  const newest = fromPosition(await newestPosition())
  for (const webhook of webhooks) {
    let position: string | null = webhook.position
    while (position && position !== newest)
      position = await advanceWebhook({ ...webhook, position })
  }
}

/**
 * Creates deliveries and moves the webhook's position in one transaction, so that only one of several instances does it.
 * @returns the position; null at the end
 */
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

// Every instance sends due deliveries; the leases on the rows decide which one sends what.

const LOG = cds.log('webhooks')

/** Deliveries to one receiver at once. */
const AT_ONCE = 8
/** How long running calls may take at shutdown. */
const DRAIN_MS = 2_000
/** After a large run many events wait. */
const LONG_S = 600
const HOUR_MS = 3_600_000
const KEPT_MS = 30 * 24 * HOUR_MS

const sending = new Map<number, Promise<void>>()
const aborting = new AbortController()

/** The lookup of host names, which tests replace. */
export const names: { resolve?: Resolve } = {}

export const deliveryWorkers = [
  new Worker({
    name: 'webhooks',
    every: 1_000,
    isVital: true,
    deadlineSeconds: LONG_S,
    work: deliverEvents,
    drain: endCalls,
  }),
  new Worker({
    name: 'old deliveries',
    every: HOUR_MS,
    deadlineSeconds: LONG_S,
    work: removeOldDeliveries,
  }),
]

/** A round only begins the calls, so that a slow receiver delays no other. */
async function deliverEvents(stopping: AbortSignal) {
  await numberEvents()
  const webhooks = await activeWebhooks()
  if (webhooks.length) await createDeliveries(webhooks)
  for (const { ID } of webhooks) {
    if (stopping.aborted || sending.has(ID)) continue
    const calls = runDetached(`wh_${ID}`, () => sendAll(ID, stopping))
      .catch((error) => LOG.error(`wh_${ID} failed:`, error))
      .finally(() => sending.delete(ID))
    sending.set(ID, calls)
  }
}

async function sendAll(ID: number, stopping: AbortSignal) {
  while (!stopping.aborted) {
    const [webhook] = await activeWebhooks(ID)
    const due = webhook ? await acquireDueDeliveries(ID, AT_ONCE) : []
    if (!webhook || !due.length) return
    const options = { signal: aborting.signal, resolve: names.resolve }
    await Promise.all(due.map((delivery) => sendDelivery(webhook, delivery, options)))
    if (due.length < AT_ONCE) return
  }
}

/** Ends the calls at shutdown: those without an answer are released soon, and the next instance retries them. */
async function endCalls() {
  const abort = setTimeout(() => aborting.abort(), DRAIN_MS)
  await Promise.all(sending.values())
  clearTimeout(abort)
}

async function removeOldDeliveries() {
  await removeOldEvents()
  await DELETE.from(WebhookDeliveries).where({
    status: { '!=': 'pending' },
    lastAttemptAt: { '<': iso(Date.now() - KEPT_MS) },
  })
}
