import { hash, randomBytes } from 'node:crypto'
import cds from '@sap/cds'
import { writeAuditLog } from '../../../base/database/audit.ts'
import { storeSecret, wipeSecrets } from '../../../base/database/secrets/vault.ts'
import { beginningUri } from '../consent/waiting-source.ts'
import type { ClientInput } from '../oauth/client.ts'
import type { Access } from './request-access.ts'
import { Consents, Sources } from '../../../base/database/entities.ts'

const CONSENT_LIFETIME_MS = 10 * 60_000

/** Stored encrypted until the browser returns from the consent page. */
export interface ConsentSecret {
  /** The ERP's page, with the `state`. */
  url: string
  verifier: string | null
  clientSecret: string | null
}

/** Of what a browser must bring only a hash is stored, so that nobody can consent with what the database contains. */
export const hashOf = (secret: string) => hash('sha256', secret)

/** Where somebody must begin to consent; null where access is granted already. */
export interface ConsentPage {
  authorizationUrl: string | null
  consentExpiresAt: string | null
}

/** Stores access to a source, in the transaction that creates or changes the source. */
export async function storeAccess(
  source: number,
  access: Access,
  client: ClientInput,
): Promise<ConsentPage> {
  const { clientId = null, clientSecret = null } = client
  if (access.kind === 'consent') return storeConsentRequest(source, access, client)
  await UPDATE.entity(Sources)
    .set({
      ...{ status: 'connected', problem: null, clientId },
      ...{ consentEndsAt: null, consentToldAt: null },
      neededRights: JSON.stringify(access.needed),
      grantedRights: JSON.stringify(access.granted),
      checks: JSON.stringify(access.checks),
      checkedAt: access.checks.length ? new Date().toISOString() : null,
    })
    .where({ ID: source })
  if (clientSecret) await storeSecret(source, 'client_secret', clientSecret)
  if (access.tokens) await storeSecret(source, 'tokens', JSON.stringify(access.tokens))
  await writeAuditLog('source.connected', `src_${source}`, access.granted.join(' '))
  return { authorizationUrl: null, consentExpiresAt: null }
}

/** A source has one open consent: a new request replaces the one before. */
async function storeConsentRequest(
  source: number,
  access: Extract<Access, { kind: 'consent' }>,
  { clientId, clientSecret = null }: ClientInput,
): Promise<ConsentPage> {
  const { request, redirectUri, scopes } = access
  const ticket = randomBytes(32).toString('base64url')
  const expiresAt = new Date(Date.now() + CONSENT_LIFETIME_MS).toISOString()
  await DELETE.from(Consents).where({ source_ID: source })
  await INSERT.into(Consents).entries({
    ...{ source_ID: source, ticketHash: hashOf(ticket), stateHash: hashOf(request.state) },
    ...{ redirectUri, clientId },
    ...{ scopes: JSON.stringify(scopes), expiresAt, requestedBy: cds.context?.user?.id },
  })
  const { url, verifier } = request
  const consentSecret: ConsentSecret = { url, verifier, clientSecret }
  await wipeSecrets(source, 'consent')
  await storeSecret(source, 'consent', JSON.stringify(consentSecret))
  await UPDATE.entity(Sources)
    .set({ neededRights: JSON.stringify(access.needed), problem: null })
    .where({ ID: source })
  await UPDATE.entity(Sources)
    .set({ status: 'pending_consent' })
    .where({ ID: source, status: 'reconsent_required' })
  await writeAuditLog('source.consent_asked', `src_${source}`, scopes.join(' '))
  return { authorizationUrl: beginningUri(redirectUri, ticket), consentExpiresAt: expiresAt }
}
