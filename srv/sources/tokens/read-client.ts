import { readSecret } from '../../store/secrets/vault.ts'
import type { OAuthClient } from '../oauth/client.ts'
import { Sources } from '../../store/entities.ts'

/** The OAuth client or communication user with which a source was connected. */
export async function readClient(source: number): Promise<OAuthClient> {
  const row = await SELECT.one.from(Sources).columns('clientId').where({ ID: source })
  const secret = await readSecret(source, 'client_secret')
  return { clientId: row?.clientId ?? '', clientSecret: secret?.text ?? null }
}
