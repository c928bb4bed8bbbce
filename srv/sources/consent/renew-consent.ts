import cds from '@sap/cds'
import { runDetached } from '../../cap/context.ts'
import { connectionOf } from '../../store/connections.ts'
import { readSecret } from '../../store/secrets/vault.ts'
import { readClient } from '../tokens/read-client.ts'
import type { OAuthClient } from '../oauth/client.ts'
import { requestAccess } from '../access/request-access.ts'
import { readSource } from '../read.ts'
import { type ConsentSecret, storeAccess } from '../access/store-access.ts'
import { toRefusal } from '../to-refusal.ts'
import { Consents, Sources } from '../../store/entities.ts'

const { SELECT } = cds.ql

export interface Renewal {
  ID: number
  /** What is not given is as it was. */
  clientId?: string | null
  clientSecret?: string | null
}

/**
 * Asks for the consent to a source again, or tries another secret. What it held goes on until the
 * new consent is there.
 */
export async function renewConsent({ ID, clientId, clientSecret }: Renewal) {
  const { adapter, connection, destination, client } = await runDetached('consent', async () => {
    await readSource(ID)
    const { destination } = (await SELECT.one.from(Sources).columns('destination').where({ ID }))!
    return { ...(await connectionOf(ID)), destination, client: await clientAsked(ID) }
  })
  const asked = {
    clientId: clientId ?? client.clientId,
    clientSecret: clientSecret ?? (clientId ? null : client.clientSecret),
  }
  try {
    const access = await requestAccess(
      adapter,
      { connection: { ...connection, credentials: null }, destination },
      asked,
    )
    const page = await storeAccess(ID, access, asked)
    return { ...(await readSource(ID)), ...page }
  } catch (error) {
    throw toRefusal(error)
  }
}

/** The client of a consent that was asked for, else the one of the consent that holds. */
async function clientAsked(source: number): Promise<OAuthClient> {
  const held = await readClient(source)
  const row = await SELECT.one.from(Consents).columns('clientId').where({ source_ID: source })
  const kept = await readSecret(source, 'consent').catch(() => null)
  if (!row || !kept) return held
  const { clientSecret } = JSON.parse(kept.text) as ConsentSecret
  return {
    clientId: row.clientId ?? held.clientId,
    clientSecret: clientSecret ?? held.clientSecret,
  }
}
