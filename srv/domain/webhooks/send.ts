// One try to deliver an event.
import cds from '@sap/cds'
import { Webhook } from 'standardwebhooks'
import { retryAfterMs } from '../../../adapters/http/retry-after.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { Events, readAs, WebhookDeliveries, Webhooks } from '../../base/database/entities.ts'
import type { EventRow } from '../../base/database/events.ts'
import { indexOrder } from '../../base/database/rows.ts'
import { acquireLease, isFree, releaseLease } from '../../base/work/lease.ts'
import { eventsFor } from './manage.ts'
import { type Outcome, postEvent } from './post.ts'
import {
  type DeliveryRow,
  type DisabledReason,
  leaseOf,
  lockWebhook,
  secretsOf,
  type WebhookRow,
} from './secrets.ts'
import type { Resolve } from './post.ts'
import { iso } from '../../base/time/days.ts'

/** Longer than a try takes: if its instance dies, another one sends it after this time. */
const LEASE_MS = 30_000

/** Acquires the leases of due deliveries. */
export async function acquireDueDeliveries(webhook: number, limit: number): Promise<DeliveryRow[]> {
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
export async function sendDelivery(
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

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

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
