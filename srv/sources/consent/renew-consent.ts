import { runDetached } from '../../cap/context.ts'
import { connectionOf } from '../../store/connections.ts'
import { readSecret } from '../../store/secrets/vault.ts'
import { readClient } from '../tokens/read-client.ts'
import type { OAuthClient } from '../oauth/client.ts'
import { requestAccess } from '../access/request-access.ts'
import { readSource } from '../read-sources.ts'
import { type ConsentSecret, storeAccess } from '../access/store-access.ts'
import { toRefusal } from '../to-refusal.ts'
import { Consents, Sources } from '../../store/entities.ts'

export interface Renewal {
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
