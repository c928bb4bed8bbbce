import cds from '@sap/cds'
import { runDetached } from '../../../base/cap/context.ts'
import { Consents, Secrets, Sources, Syncs } from '../../../base/database/entities.ts'
import { readSecret } from '../../../base/database/secrets/vault.ts'
import { requestAccess, toRefusal } from '../access/request-access.ts'
import { type ConsentSecret, storeAccess } from '../access/store-access.ts'
import { connectionOf } from '../connections.ts'
import type { OAuthClient } from '../oauth/client.ts'
import { readSource } from '../read-sources.ts'
import { removeSource } from '../remove-source.ts'
import { readClient } from '../tokens/renew-tokens.ts'

interface Renewal {
  ID: number
  /** The stored client is used where none is given. */
  clientId?: string | null
  clientSecret?: string | null
}

/**
 * Requests consent to a source again, or tries another secret. The present tokens stay in use until the
 * new consent is given.
 */
export async function renewConsent({ ID, clientId, clientSecret }: Renewal) {
  const { adapter, connection, destination, client } = await runDetached('consent', async () => {
    await readSource(ID)
    const { destination } = (await SELECT.one.from(Sources).columns('destination').where({ ID }))!
    return { ...(await connectionOf(ID)), destination, client: await readLatestClient(ID) }
  })
  const newClient = {
    clientId: clientId ?? client.clientId,
    clientSecret: clientSecret ?? (clientId ? null : client.clientSecret),
  }
  try {
    const access = await requestAccess(
      adapter,
      { connection: { ...connection, credentials: null }, destination },
      newClient,
    )
    const page = await storeAccess(ID, access, newClient)
    return { ...(await readSource(ID)), ...page }
  } catch (error) {
    throw toRefusal(error)
  }
}

/** The client of the open request for consent, else the one that the source is connected with. */
async function readLatestClient(source: number): Promise<OAuthClient> {
  const connected = await readClient(source)
  const row = await SELECT.one.from(Consents).columns('clientId').where({ source_ID: source })
  const secret = await readSecret(source, 'consent').catch(() => null)
  if (!row || !secret) return connected
  const { clientSecret } = JSON.parse(secret.text) as ConsentSecret
  return {
    clientId: row.clientId ?? connected.clientId,
    clientSecret: clientSecret ?? connected.clientSecret,
  }
}

const LOG = cds.log('sources')

/** How long whoever has begun to connect an ERP may take to try again. */
const GRACE_MS = 24 * 3_600_000

/** Removes sources that nobody ever consented to: attempts to connect that were given up. */
export async function removeAbandoned() {
  for (const ID of await findAbandoned(new Date(Date.now() - GRACE_MS))) {
    await cds.tx(() => removeSource(ID))
    LOG.info(`src_${ID} is removed: nobody has consented to it`)
  }
}

async function findAbandoned(before: Date): Promise<number[]> {
  const waiting = await SELECT.from(Sources)
    .columns('ID')
    .where({ status: 'pending_consent', createdAt: { '<': before.toISOString() } })
  const abandoned: number[] = []
  for (const { ID } of waiting) {
    const consent = await SELECT.one.from(Consents).columns('expiresAt').where({ source_ID: ID })
    const isOpen = consent && new Date(String(consent.expiresAt)) > before
    if (!isOpen && !(await wasConnected(ID))) abandoned.push(ID)
  }
  return abandoned
}

/** Removes an attempt that was given up; a source that was connected at any time stays. */
export async function giveUp(ID: number) {
  const row = await SELECT.one.from(Sources).columns('status').where({ ID })
  if (row?.status === 'pending_consent' && !(await wasConnected(ID))) await removeSource(ID)
}

/** One that was read once, or holds tokens, keeps its data until somebody removes it. */
async function wasConnected(ID: number): Promise<boolean> {
  const sync = await SELECT.one.from(Syncs).columns('ID').where({ source_ID: ID })
  const tokens = await SELECT.one
    .from(Secrets)
    .columns('name')
    .where({ source_ID: ID, name: 'tokens' })
  return Boolean(sync ?? tokens)
}
