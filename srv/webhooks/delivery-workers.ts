// Sends what is due, on every instance; the rows decide who sends what.
import cds from '@sap/cds'
import { runDetached } from '../cap/context.ts'
import { numberEvents, removeOldEvents } from '../store/events/event-log.ts'
import { Worker } from '../worker.ts'
import { activeWebhooks, createDeliveries } from './dispatch.ts'
import { WebhookDeliveries } from '../store/entities.ts'
import { iso } from './rows.ts'
import { acquireDueDeliveries, sendDelivery } from './send.ts'
import type { Resolve } from './target.ts'

const LOG = cds.log('webhooks')

/** Deliveries to one receiver at once. */
const AT_ONCE = 8
/** How long those under way may take at shutdown. */
const DRAIN_MS = 2_000
/** After a large run many events wait. */
const LONG_S = 600
const HOUR_MS = 3_600_000
const KEPT_MS = 30 * 24 * HOUR_MS

const sending = new Map<number, Promise<void>>()
const aborting = new AbortController()

/** Where host names are looked up; of tests another. */
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

/** A round is over when the calls have begun: a receiver that hangs holds up nobody but itself. */
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

/** At shutdown: calls without an answer are released soon, and retried by the next instance. */
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
