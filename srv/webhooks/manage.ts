import cds from '@sap/cds'
import { runDetached } from '../cap/context.ts'
import { Refusal } from '../errors.ts'
import { writeAuditLog } from '../store/audit.ts'
import { takeNumbers } from '../store/counters.ts'
import { fromPosition, newestPosition, numberEvents } from '../store/events/event-log.ts'
import type { EventType } from '../store/events/publish.ts'
import { readAs, WebhookDeliveries, Webhooks } from '../store/entities.ts'
import { iso, type WebhookRow } from './rows.ts'
import { renewSecret, wipeSecrets } from './secrets.ts'
import { checkTarget } from './target.ts'
import { toPage } from '../store/page.ts'

const objectOf = (ID: number) => `wh_${ID}`
const distinct = (types: EventType[] | null) => (types?.length ? [...new Set(types)] : null)

/**
 * Adds a webhook, which receives the events from now on.
 * @throws Refusal invalid_parameter, webhook_target_refused
 */
export async function addWebhook({ url, types }: { url: string; types: EventType[] | null }) {
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
    createdBy: cds.context?.user?.id ?? 'system',
  }
  await INSERT.into(Webhooks).entries(row)
  const { secret } = await renewSecret(ID)
  await writeAuditLog('webhook.added', objectOf(ID), new URL(href).origin)
  return { ...row, secret }
}

/** @throws Refusal not_found */
export async function findWebhook(ID: number): Promise<WebhookRow> {
  const row = await readAs<WebhookRow>(SELECT.one.from(Webhooks).where({ ID }))
  if (!row) throw noSuchWebhook()
  return row
}

export const noSuchWebhook = () => new Refusal('not_found', 'There is no such webhook.')

export interface ListQuery {
  /** The last ID seen. */
  after: string | null
  limit: number
}

/** Newest first. @param owner whose alone; null for all */
export async function listWebhooks({ after, limit }: ListQuery, owner: string | null) {
  const query = SELECT.from(Webhooks).limit(limit + 1)
  if (owner !== null) void query.where({ createdBy: owner })
  if (after) void query.where({ ID: { '<': Number(after) } })
  const rows = await readAs<WebhookRow>(query.orderBy('ID desc'))
  return toPage(rows, limit, ({ ID }) => ID)
}

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
export async function changeWebhook({ ID, url, types, status }: Change): Promise<WebhookRow> {
  const href = url ? await checkTarget(url) : null
  const before = await findWebhook(ID)
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
export async function removeWebhook(ID: number) {
  await findWebhook(ID)
  await DELETE.from(WebhookDeliveries).where({ webhook: ID })
  await wipeSecrets(ID)
  await DELETE.from(Webhooks).where({ ID })
  await writeAuditLog('webhook.removed', objectOf(ID), '')
}

/**
 * Creates a new secret; for 24 hours calls are signed with the old one too. A webhook that was
 * disabled after failures becomes active.
 * @throws Refusal not_found
 */
export async function rotateSecret(ID: number) {
  await SELECT.one.from(Webhooks).columns('ID').where({ ID }).forUpdate()
  const { disabledReason } = await findWebhook(ID)
  const { secret, oldExpiresAt } = await renewSecret(ID)
  if (disabledReason && disabledReason !== 'by_request') {
    await UPDATE.entity(Webhooks).set(statusSet('active')).where({ ID })
  }
  await writeAuditLog('webhook.rotated', objectOf(ID), `the old secret signs until ${oldExpiresAt}`)
  return { ...(await findWebhook(ID)), secret, oldExpiresAt }
}
