import { randomBytes } from 'node:crypto'
import cds from '@sap/cds'
import { runDetached } from '../../base/cap/context.ts'
import {
  readAs,
  WebhookDeliveries,
  Webhooks,
  WebhookSecrets,
} from '../../base/database/entities.ts'
import type { EventType } from '../../base/database/events.ts'
import { decryptText, encryptText, keyRing } from '../../base/database/secrets/key-ring.ts'
import { INSTANCE, type Lease } from '../../base/work/lease.ts'
import { iso } from '../../base/time/days.ts'

export type DisabledReason = 'gone' | 'failing' | 'by_request'

/** A row of restock.Webhooks; timestamps in ISO 8601. */
export interface WebhookRow {
  ID: number
  url: string
  /** Null for all. */
  types: EventType[] | null
  status: 'active' | 'disabled'
  disabledReason: DisabledReason | null
  failingSince: string | null
  position: string
  createdAt: string
  createdBy: string
}

/**
 * Whoever changes a webhook and its deliveries locks the webhook first: in another order two of them would deadlock, or
 * deliveries would outlive their webhook.
 * @returns whether it is there
 */
export const lockWebhook = async (ID: number): Promise<boolean> =>
  Boolean(await SELECT.one.from(Webhooks).columns('ID').where({ ID }).forUpdate())

/** A row of restock.WebhookDeliveries. */
export interface DeliveryRow {
  webhook: number
  event: string
  type: EventType
  status: 'pending' | 'succeeded' | 'failed'
  attempts: number
  retries: number
  nextAttemptAt: string
  lastAttemptAt: string | null
  responseStatus: number | null
  problem: string | null
}

/** The lease of a delivery: only its owner sends it. */
export const leaseOf = ({ webhook, event }: DeliveryRow): Lease => ({
  entity: WebhookDeliveries,
  key: { webhook, event },
  owner: INSTANCE,
})

// Secrets that sign calls (Standard Webhooks): shown once, stored encrypted.

const BYTES = 32
/** How long calls are signed with the old secret too. */
const GRACE_MS = 24 * 3_600_000
/** As many old secrets as sign at once: each is a signature in the header of every call. */
const MAX_OLD = 5

interface WebhookSecretRow {
  webhook: number
  ID: number
  keyId: string
  sealed: string
  expiresAt: string | null
}

const contextOf = ({ webhook, ID }: Pick<WebhookSecretRow, 'webhook' | 'ID'>) =>
  `restock webhook ${webhook} secret ${ID}`

function sealedSecret(key: Pick<WebhookSecretRow, 'webhook' | 'ID'>, text: string) {
  const { present } = keyRing()
  return { keyId: present.id, sealed: encryptText(present, contextOf(key), text) }
}

/** Creates a new secret, in the caller's transaction. @returns the secret, and until when the old one remains valid */
export async function renewSecret(webhook: number) {
  const rows = await readAs<WebhookSecretRow>(
    SELECT.from(WebhookSecrets).where({ webhook }).orderBy('ID'),
  )
  const newest = rows.at(-1)
  const oldExpiresAt = newest ? iso(Date.now() + GRACE_MS) : null
  if (newest) {
    // An old one holds as long as was promised, though it is replaced twice within a day.
    const now = iso(Date.now())
    await DELETE.from(WebhookSecrets).where({ webhook, expiresAt: { '<=': now } })
    await DELETE.from(WebhookSecrets).where({ webhook, ID: { '<=': newest.ID - MAX_OLD } })
    await UPDATE.entity(WebhookSecrets)
      .set({ expiresAt: oldExpiresAt })
      .where({ webhook, ID: newest.ID })
  }
  const key = { webhook, ID: (newest?.ID ?? 0) + 1 }
  const secret = `whsec_${randomBytes(BYTES).toString('base64')}`
  await INSERT.into(WebhookSecrets).entries({
    ...key,
    ...sealedSecret(key, secret),
    expiresAt: null,
  })
  return { secret, oldExpiresAt }
}

/**
 * The secrets to sign with, the newest first.
 * @throws Error where the key that opens them is not known
 */
export async function secretsOf(webhook: number): Promise<string[]> {
  const rows = await readAs<WebhookSecretRow>(
    SELECT.from(WebhookSecrets).where({ webhook }).orderBy('ID desc'),
  )
  const now = iso(Date.now())
  return rows.filter(({ expiresAt }) => !expiresAt || expiresAt > now).map(openedSecret)
}

function openedSecret(row: WebhookSecretRow): string {
  const key = keyRing().all.get(row.keyId)
  if (!key) throw new Error('The signing secret cannot be decrypted; rotate it.')
  return decryptText(key, contextOf(row), row.sealed)
}

export const wipeSecrets = (webhook: number) => DELETE.from(WebhookSecrets).where({ webhook })

/** Encrypts every readable secret with the present key, after which former keys can be removed. */
async function resealSecrets() {
  const { present, all } = keyRing()
  const rows = await readAs<WebhookSecretRow>(
    SELECT.from(WebhookSecrets).where({ keyId: { '<>': present.id } }),
  )
  for (const row of rows.filter(({ keyId }) => all.has(keyId))) {
    const { webhook, ID, keyId } = row
    await UPDATE.entity(WebhookSecrets)
      .set(sealedSecret(row, openedSecret(row)))
      .where({ webhook, ID, keyId })
  }
}

/** A failure is logged and does not stop the start. */
export const resealAtStart = () =>
  runDetached('webhooks', resealSecrets).catch((error: Error) =>
    cds.log('webhooks').error('secrets could not be put under the present key:', error.message),
  )
