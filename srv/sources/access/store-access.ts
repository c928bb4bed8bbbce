import { createHash } from 'node:crypto'
import cds from '@sap/cds'
import { audit } from '../../store/audit.ts'
import { storeSecret, wipeSecrets } from '../../store/secrets/vault.ts'
import type { EnteredClient } from '../oauth/client.ts'
import type { Opening } from './request-access.ts'

const { DELETE, INSERT, UPDATE } = cds.ql

const CONSENT_MS = 10 * 60_000

/** What is kept, encrypted, until a consent comes back. */
export interface ConsentSecret {
  verifier: string | null
  clientSecret: string | null
}

/** `state` is stored as a hash only: who reads the database cannot finish a consent. */
export const hashOfState = (state: string) => createHash('sha256').update(state).digest('hex')

/** The page that somebody must consent at, if any. */
export interface ConsentPage {
  authorizationUrl: string | null
  consentExpiresAt: string | null
}

/** Stores what opens a source, in the transaction that creates or changes it. */
export async function storeOpening(
  source: number,
  opening: Opening,
  client: EnteredClient,
): Promise<ConsentPage> {
  const { clientId = null, clientSecret = null } = client
  if (opening.kind === 'consent') return askForConsent(source, opening, client)
  await UPDATE.entity('restock.Sources')
    .set({
      ...{ status: 'connected', problem: null, clientId },
      neededRights: JSON.stringify(opening.needed),
      grantedRights: JSON.stringify(opening.granted),
      checks: JSON.stringify(opening.checks),
      checkedAt: opening.checks.length ? new Date().toISOString() : null,
    })
    .where({ ID: source })
  if (clientSecret) await storeSecret(source, 'client_secret', clientSecret)
  if (opening.tokens) await storeSecret(source, 'tokens', JSON.stringify(opening.tokens))
  await audit('source.connected', `src_${source}`, opening.granted.join(' '))
  return { authorizationUrl: null, consentExpiresAt: null }
}

/** One consent a source: the one that was asked for before can no longer come back. */
async function askForConsent(
  source: number,
  opening: Extract<Opening, { kind: 'consent' }>,
  { clientId, clientSecret = null }: EnteredClient,
): Promise<ConsentPage> {
  const { departure, redirectUri, scopes } = opening
  const expiresAt = new Date(Date.now() + CONSENT_MS).toISOString()
  await DELETE.from('restock.Consents').where({ source_ID: source })
  await INSERT.into('restock.Consents').entries({
    ...{ source_ID: source, stateHash: hashOfState(departure.state), redirectUri, clientId },
    ...{ scopes: JSON.stringify(scopes), expiresAt, requestedBy: cds.context?.user?.id },
  })
  const kept: ConsentSecret = { verifier: departure.verifier, clientSecret }
  await wipeSecrets(source, 'consent')
  await storeSecret(source, 'consent', JSON.stringify(kept))
  await UPDATE.entity('restock.Sources')
    .set({ neededRights: JSON.stringify(opening.needed), problem: null })
    .where({ ID: source })
  await UPDATE.entity('restock.Sources')
    .set({ status: 'pending_consent' })
    .where({ ID: source, status: 'reconsent_required' })
  await audit('source.consent_asked', `src_${source}`, scopes.join(' '))
  return { authorizationUrl: departure.url, consentExpiresAt: expiresAt }
}
