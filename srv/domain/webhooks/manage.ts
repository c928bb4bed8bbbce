// A webhook receives what the person who added it sees. A person who is restricted to some rows manages only their own
// webhooks.
import cds from '@sap/cds'
import { inTransaction, runDetached } from '../../base/cap/context.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { takeNumbers } from '../../base/database/counters.ts'
import { readAs, WebhookDeliveries, Webhooks } from '../../base/database/entities.ts'
import {
  type EventRow,
  type EventType,
  fromPosition,
  newestPosition,
  numberEvents,
} from '../../base/database/events.ts'
import { givenIn, newestPage, type PageQuery, toPage } from '../../base/database/rows.ts'
import { Refusal } from '../../base/errors.ts'
import {
  asUser,
  findRestriction,
  rememberCaller,
  type RowRestriction,
  restrictionOf,
  visibleEvents,
} from '../authority/index.ts'
import {
  type DeliveryRow,
  lockWebhook,
  renewSecret,
  type WebhookRow,
  wipeSecrets,
} from './secrets.ts'
import { checkTarget } from './post.ts'
import { iso } from '../../base/time/days.ts'

/** Those of the events that may be sent to the webhook. */
export async function eventsFor({ createdBy }: Pick<WebhookRow, 'createdBy'>, events: EventRow[]) {
  const rows = await rowsOfOwner(createdBy)
  return rows ? visibleEvents(asUser({ id: createdBy, roles: [], rows }), events) : events
}

const NOTHING: RowRestriction = { locations: [], groups: null }

/** A key that acts as nobody sees all rows. Nothing is sent for a person who is no longer known. */
async function rowsOfOwner(id: string): Promise<RowRestriction | null> {
  const rows = await findRestriction(id)
  if (rows !== undefined) return rows
  return id.startsWith('key:') || id === 'system' ? null : NOTHING
}

/** The person whose webhooks the present user may manage; null for everybody's. */
const onlyOwner = () => (restrictionOf(cds.context!.user) ? cds.context!.user.id : null)

const objectOf = (ID: number) => `wh_${ID}`
const distinct = (types: EventType[] | null) => (types?.length ? [...new Set(types)] : null)

/**
 * Adds a webhook, which receives the events from now on.
 * @throws Refusal invalid_parameter, webhook_target_refused
 */
export const addWebhook = (wish: NewWebhook) => inTransaction(() => add(wish))

interface NewWebhook {
  url: string
  /** Null for all. */
  types: EventType[] | null
}

async function add({ url, types }: NewWebhook) {
  const { user } = cds.context!
  // For later deliveries the service must remember what a person who adds a webhook in the app sees.
  if ((user.attr as { via?: string }).via === 'ui') await rememberCaller(user)
  const href = await checkTarget(url)
  await runDetached('webhooks', numberEvents)
  const ID = await takeNumbers('webhook')
  const row: WebhookRow = {
    ID,
    url: href,
    types: distinct(types),
    status: 'active',
    disabledReason: null,
    failingSince: null,
    position: fromPosition(await newestPosition()),
    createdAt: iso(Date.now()),
    createdBy: user.id,
  }
  await INSERT.into(Webhooks).entries(row)
  const { secret } = await renewSecret(ID)
  await writeAuditLog('webhook.added', objectOf(ID), new URL(href).origin)
  return { ...row, secret }
}

/** @throws Refusal not_found, also for one that is not the present user's to manage */
export async function findWebhook(ID: number): Promise<WebhookRow> {
  const row = await readAs<WebhookRow>(SELECT.one.from(Webhooks).where({ ID }))
  const owner = onlyOwner()
  if (!row || (owner !== null && row.createdBy !== owner))
    throw new Refusal('not_found', 'There is no such webhook.')
  return row
}

/** Newest first. */
export const listWebhooks = (asked: PageQuery) =>
  newestPage<WebhookRow>(SELECT.from(Webhooks), asked, givenIn({ createdBy: onlyOwner() }))

interface Change {
  ID: number
  url?: string | null
  types?: EventType[] | null
  status?: 'active' | 'disabled' | null
}

/**
 * Changes the given values. Activating a webhook sends the events that it has missed.
 * @throws Refusal not_found, invalid_parameter, webhook_target_refused
 */
export const changeWebhook = (wish: Change) => inTransaction(() => change(wish))

async function change({ ID, url, types, status }: Change): Promise<WebhookRow> {
  const before = await findWebhook(ID)
  const href = url ? await checkTarget(url) : null
  const set = {
    ...(href && { url: href }),
    ...(types && { types: distinct(types) }),
    ...(status && status !== before.status && statusSet(status)),
  }
  if (!Object.keys(set).length) return before
  await UPDATE.entity(Webhooks).set(set).where({ ID })
  await writeAuditLog('webhook.changed', objectOf(ID), Object.keys(set).join(', '))
  return findWebhook(ID)
}

const statusSet = (status: WebhookRow['status']) =>
  status === 'active'
    ? { status, disabledReason: null, failingSince: null }
    : { status, disabledReason: 'by_request' as const }

/**
 * Removes a webhook and its deliveries.
 * @throws Refusal not_found
 */
export const removeWebhook = (ID: number) =>
  inTransaction(async () => {
    await findWebhook(ID)
    await lockWebhook(ID)
    await DELETE.from(WebhookDeliveries).where({ webhook: ID })
    await wipeSecrets(ID)
    await DELETE.from(Webhooks).where({ ID })
    await writeAuditLog('webhook.removed', objectOf(ID), '')
  })

/**
 * Creates a new secret; for 24 hours calls are signed with the old one too. A webhook that was
 * disabled after failures becomes active.
 * @throws Refusal not_found
 */
export const rotateSecret = (ID: number) => inTransaction(() => rotate(ID))

async function rotate(ID: number) {
  // Nobody locks the webhook of another person.
  await findWebhook(ID)
  await lockWebhook(ID)
  const { disabledReason } = await findWebhook(ID)
  const { secret, oldExpiresAt } = await renewSecret(ID)
  if (disabledReason && disabledReason !== 'by_request') {
    await UPDATE.entity(Webhooks).set(statusSet('active')).where({ ID })
  }
  await writeAuditLog('webhook.rotated', objectOf(ID), `the old secret signs until ${oldExpiresAt}`)
  return { ...(await findWebhook(ID)), secret, oldExpiresAt }
}

// The log of deliveries, and their repetition.

/** Takes the lease from a try that is still running: its outcome is not recorded. */
const NOT_HELD = { owner: null, leaseUntil: null }

interface DeliveriesQuery extends PageQuery {
  ID: number
  status?: DeliveryRow['status'] | null
}

/** Newest event first. @throws Refusal not_found */
export async function listDeliveries({ ID, status, after, limit }: DeliveriesQuery) {
  await findWebhook(ID)
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
  await findWebhook(ID)
  const row = await readAs<DeliveryRow>(
    SELECT.one.from(WebhookDeliveries).where({ webhook: ID, event }),
  )
  if (!row) throw new Refusal('not_found', 'There is no such delivery.')
  return row
}

/** Sends an event again, now, whatever happened before, with a new series of tries. @throws Refusal not_found */
export const replayDelivery = (ID: number, event: string) =>
  inTransaction(async () => {
    await findDelivery(ID, event)
    await UPDATE.entity(WebhookDeliveries)
      .set({ status: 'pending', retries: 0, nextAttemptAt: iso(Date.now()), ...NOT_HELD })
      .where({ webhook: ID, event })
    await writeAuditLog('webhook.replayed', objectOf(ID), `evt_${event}`)
    return findDelivery(ID, event)
  })
