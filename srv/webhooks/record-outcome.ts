// Records the outcome of a delivery: delivered, retried later, given up, or its webhook disabled.
import cds from '@sap/cds'
import { writeAuditLog } from '../store/audit.ts'
import { releaseLease } from '../store/lease.ts'
import type { Outcome } from './post.ts'
import { Webhooks } from '../store/entities.ts'
import { type DeliveryRow, type DisabledReason, iso, leaseOf } from './rows.ts'

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

/** Writes the outcome down, unless the delivery is another's by now, or was asked for once more. */
export async function recordOutcome(delivery: DeliveryRow, result: Result) {
  const { webhook, retries } = delivery
  const { status: responseStatus, problem, askedMs } = result
  const delay = responseStatus === GONE ? null : delayAfter(retries, askedMs)
  const next = isSuccess(result)
    ? { status: 'succeeded' }
    : delay === null
      ? { status: 'failed' }
      : { nextAttemptAt: iso(Date.now() + delay) }
  await cds.tx(async () => {
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
