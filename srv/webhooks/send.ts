// One try to deliver an event.
import { Webhook } from 'standardwebhooks'
import { retryAfterMs } from '../../adapters/http/retry-after.ts'
import type { EventRow } from '../store/events/event-log.ts'
import { indexOrder } from '../store/index-order.ts'
import { acquireLease, isFree, releaseLease } from '../store/lease.ts'
import { eventsFor } from './owner.ts'
import { type Outcome, postEvent } from './post.ts'
import { type DeliveryRow, iso, leaseOf, type WebhookRow } from './rows.ts'
import { secretsOf } from './secrets.ts'
import { recordOutcome } from './record-outcome.ts'
import type { Resolve } from './target.ts'
import { Events, readAs, WebhookDeliveries } from '../store/entities.ts'

/** Longer than a try takes: if its instance dies meanwhile, another sends it after this time. */
const LEASE_MS = 30_000

/** Deliveries that are due, each now held by the caller. */
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

/** Sends a delivery that the caller holds and writes down what became of it. */
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
    // What its owner sees may have become less since the delivery was made.
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
export const toEventJson = ({ ID, type, at, data }: EventRow) => ({
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
