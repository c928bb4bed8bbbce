// From events to deliveries: each event once for each webhook that asks for its type.
import cds from '@sap/cds'
import { Webhook } from 'standardwebhooks'
import { retryAfterMs } from '../../../adapters/http/retry-after.ts'
import { runDetached } from '../../base/cap/context.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { Events, readAs, WebhookDeliveries, Webhooks } from '../../base/database/entities.ts'
import {
  type EventRow,
  fromPosition,
  newestPosition,
  numberEvents,
  readEvents,
  removeOldEvents,
  toPosition,
} from '../../base/database/events.ts'
import { indexOrder } from '../../base/database/rows.ts'
import { iso } from '../../base/time/days.ts'
import { acquireLease, isFree, releaseLease } from '../../base/work/lease.ts'
import { Worker } from '../../base/work/worker.ts'
import { eventsFor } from './manage.ts'
import { type Outcome, postEvent, type Resolve } from './post.ts'
import {
  type DeliveryRow,
  type DisabledReason,
  leaseOf,
  lockWebhook,
  secretsOf,
  type WebhookRow,
} from './secrets.ts'

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
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const KEPT_MS = 30 * 24 * HOUR

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
    every: HOUR,
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

// One try to deliver an event.

/** Longer than a try takes: if its instance dies, another one sends it after this time. */
const LEASE_MS = 30_000

/** Acquires the leases of due deliveries. */
async function acquireDueDeliveries(webhook: number, limit: number): Promise<DeliveryRow[]> {
  const now = iso(Date.now())
  const due = await readAs<DeliveryRow>(
    SELECT.from(WebhookDeliveries)
      .where({ webhook, status: 'pending', nextAttemptAt: { '<=': now }, and: isFree() })
      .orderBy(...indexOrder(['nextAttemptAt', 'event']))
      .limit(limit),
  )
  const acquired: DeliveryRow[] = []
  for (const row of due) {
    const { nextAttemptAt, attempts, retries } = row
    const where = { status: 'pending', nextAttemptAt }
    const set = { attempts: attempts + 1, retries: retries + 1, lastAttemptAt: now }
    const isAcquired = await acquireLease(leaseOf(row), LEASE_MS, { where, set })
    if (isAcquired) acquired.push({ ...row, ...set })
  }
  return acquired
}

/** Sends a delivery whose lease the caller holds, and records the outcome. */
async function sendDelivery(
  webhook: WebhookRow,
  delivery: DeliveryRow,
  { signal, resolve }: { signal: AbortSignal; resolve?: Resolve },
) {
  const { ID, url } = webhook
  const event = await readAs<EventRow>(SELECT.one.from(Events).where({ ID: delivery.event }))
  let outcome: Outcome
  try {
    if (!event) outcome = { status: null, problem: 'The event is kept no longer.' }
    // The owner may see less than when the delivery was created.
    else if ((await eventsFor(webhook, [event])).length) {
      outcome = await postEvent(url, ...(await signedHeaders(ID, event)), { signal, resolve })
    } else outcome = { status: null, problem: 'Whoever added the webhook does not see this.' }
  } catch (error) {
    if (signal.aborted) return void (await releaseLease(leaseOf(delivery)))
    outcome = { status: null, problem: (error as Error).message }
  }
  const askedMs = retryAfterMs(outcome.retryAfter, Date.now())
  await recordOutcome(delivery, { ...outcome, askedMs })
}

/** The event as receivers see it. */
const toEventJson = ({ ID, type, at, data }: EventRow) => ({
  id: `evt_${ID}`,
  type,
  timestamp: at,
  data: JSON.parse(data) as { id: string },
})

/** Body and headers by Standard Webhooks, with a signature for each secret that holds. */
async function signedHeaders(
  webhook: number,
  event: EventRow,
): Promise<[string, Record<string, string>]> {
  const body = JSON.stringify(toEventJson(event))
  const id = `evt_${event.ID}`
  const now = new Date()
  const signatures = (await secretsOf(webhook)).map((secret) =>
    new Webhook(secret).sign(id, now, body),
  )
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  }
  return [body, headers]
}

// Records the outcome of a delivery: delivered, retried later, given up, or its webhook disabled.

/** After the first failure, after the second …: ten tries over three days. */
const DELAYS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

const JITTER = 0.2
const LONGEST_MS = 24 * HOUR

/** A webhook that has answered nothing but failures for so long is disabled. */
const GIVE_UP_MS = 5 * 24 * HOUR

/**
 * How long to wait after so many tries; null after the last one.
 * @param askedMs what the receiver asked for; a day at most
 * @param random 0..1: receivers that failed together are not tried together
 */
export function delayAfter(tries: number, askedMs = 0, random = Math.random()): number | null {
  const delay = DELAYS_MS[tries - 1]
  if (delay === undefined) return null
  return Math.max(delay * (1 + JITTER * random), Math.min(askedMs, LONGEST_MS))
}

const GONE = 410

interface Result extends Outcome {
  /** How long the receiver asks to wait. */
  askedMs?: number
}

const isSuccess = ({ status }: Outcome) => status !== null && status >= 200 && status < 300

/** Records the outcome, unless another instance has the delivery by now, or it was requested again. */
async function recordOutcome(delivery: DeliveryRow, result: Result) {
  const { webhook, retries } = delivery
  const { status: responseStatus, problem, askedMs } = result
  const delay = responseStatus === GONE ? null : delayAfter(retries, askedMs)
  const next = isSuccess(result)
    ? { status: 'succeeded' }
    : delay === null
      ? { status: 'failed' }
      : { nextAttemptAt: iso(Date.now() + delay) }
  await cds.tx(async () => {
    if (!(await lockWebhook(webhook))) return
    const set = { ...next, responseStatus, problem }
    if (!(await releaseLease(leaseOf(delivery), { set }))) return
    await (isSuccess(result) ? noteSuccess(webhook) : noteFailure(webhook, responseStatus))
  })
}

async function noteSuccess(ID: number) {
  await UPDATE.entity(Webhooks)
    .set({ failingSince: null })
    .where({ ID, failingSince: { '!=': null } })
}

async function noteFailure(ID: number, status: number | null) {
  if (status === GONE) return disableWebhook(ID, 'gone')
  const now = Date.now()
  await UPDATE.entity(Webhooks)
    .set({ failingSince: iso(now) })
    .where({ ID, failingSince: null })
  const row = await SELECT.one.from(Webhooks).columns('failingSince').where({ ID })
  if (row && Date.parse(row.failingSince!) <= now - GIVE_UP_MS) await disableWebhook(ID, 'failing')
}

async function disableWebhook(ID: number, disabledReason: DisabledReason) {
  const disabled: unknown = await UPDATE.entity(Webhooks)
    .set({ status: 'disabled', disabledReason })
    .where({ ID, status: 'active' })
  if (disabled === 1) await writeAuditLog('webhook.disabled', `wh_${ID}`, disabledReason)
}
