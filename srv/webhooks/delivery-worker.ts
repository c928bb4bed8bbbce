// Sends what is due, once a second, on every instance; the rows decide who sends what.
import cds from '@sap/cds'
import { runDetached } from '../cap/context.ts'
import { numberEvents, removeOldEvents } from '../store/events/event-log.ts'
import { activeWebhooks, dispatch } from './dispatch.ts'
import { DELIVERIES, iso } from './rows.ts'
import { resealSecrets } from './secrets.ts'
import { claimDue, send } from './send.ts'
import type { Resolve } from './target.ts'

const { DELETE } = cds.ql
const LOG = cds.log('webhooks')

const TICK_MS = 1_000
/** Deliveries to one receiver at once. */
const AT_ONCE = 8
/** How long those under way may take at shutdown. */
const DRAIN_MS = 2_000
const HOUR_MS = 3_600_000
const KEPT_MS = 30 * 24 * HOUR_MS

const draining = new Map<number, Promise<void>>()
const aborting = new AbortController()
let stopping = false
let timer: NodeJS.Timeout | undefined
let ticking: Promise<void> | undefined
let cleanedAt = 0
let told: string | undefined

/** Where host names are looked up; of tests another. */
export const names: { resolve?: Resolve } = {}

export async function startWebhooks() {
  await runDetached('webhooks', resealSecrets).catch((error) =>
    LOG.error('secrets:', error.message),
  )
  timer = setInterval(() => {
    ticking ??= runDetached('webhooks', tick)
      .then(() => tell(null), tell)
      .finally(() => (ticking = undefined))
  }, TICK_MS).unref()
}

/** A database that is away is told of once, not every second. */
function tell(error: Error | null) {
  if (error && error.message !== told) LOG.error('failed:', error)
  told = error?.message
}

/** Lets the calls under way end; what is not answered soon is given back and sent again by whoever starts next. */
export async function stopWebhooks() {
  stopping = true
  clearInterval(timer)
  const abort = setTimeout(() => aborting.abort(), DRAIN_MS)
  await ticking
  await Promise.allSettled(draining.values())
  clearTimeout(abort)
}

async function tick() {
  await numberEvents()
  const webhooks = await activeWebhooks()
  if (webhooks.length) await dispatch(webhooks)
  for (const webhook of webhooks) {
    const { ID } = webhook
    if (stopping || draining.has(ID)) continue
    const work = runDetached(`wh_${ID}`, () => drain(ID))
      .catch((error) => LOG.error(`wh_${ID} failed:`, error))
      .finally(() => draining.delete(ID))
    draining.set(ID, work)
  }
  await clean()
}

/** A receiver that hangs holds up nobody but itself. */
async function drain(ID: number) {
  while (!stopping) {
    const [webhook] = await activeWebhooks(ID)
    const due = webhook ? await claimDue(ID, AT_ONCE) : []
    if (!webhook || !due.length) return
    const options = { signal: aborting.signal, resolve: names.resolve }
    await Promise.all(due.map((delivery) => send(webhook, delivery, options)))
    if (due.length < AT_ONCE) return
  }
}

async function clean() {
  const now = Date.now()
  if (now - cleanedAt < HOUR_MS) return
  cleanedAt = now
  await removeOldEvents()
  await DELETE.from(DELIVERIES).where({
    status: { '!=': 'pending' },
    lastAttemptAt: { '<': iso(now - KEPT_MS) },
  })
}
