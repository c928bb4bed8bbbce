// Access to a source as it is stored, and the consent to it: requested, begun by a browser, ended.
import { hash, randomBytes } from 'node:crypto'
import cds from '@sap/cds'
import { Fatal } from '../../../adapters/errors.ts'
import { writeAuditLog } from '../../base/database/audit.ts'
import { Consents, Sources } from '../../base/database/entities.ts'
import { publishEvents } from '../../base/database/events.ts'
import { readSecret, storeSecret, wipeSecrets } from '../../base/database/secrets/vault.ts'
import type { ClientInput } from './oauth/client.ts'
import type { Problem } from './problems.ts'
import type { Access } from './request-access.ts'

const CONSENT_LIFETIME_MS = 10 * 60_000

/** Stored encrypted until the browser returns from the consent page. */
export interface ConsentSecret {
  /** The ERP's page, with the `state`. */
  url: string
  verifier: string | null
  clientSecret: string | null
}

/** Only a hash of what a browser must present is stored, so that nobody can consent with what the database contains. */
export const hashOf = (secret: string) => hash('sha256', secret)

/** Where the consent begins; null if access is granted already. */
interface ConsentPage {
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
      status: 'connected',
      problem: null,
      clientId,
      consentEndsAt: null,
      consentToldAt: null,
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
    source_ID: source,
    ticketHash: hashOf(ticket),
    stateHash: hashOf(request.state),
    redirectUri,
    clientId,
    scopes: JSON.stringify(scopes),
    expiresAt,
    requestedBy: cds.context?.user?.id,
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
  const beginning = redirectUri.replace(/callback$/, 'authorize')
  return { authorizationUrl: `${beginning}?ticket=${ticket}`, consentExpiresAt: expiresAt }
}

/** When the open request for consent expires; null where there is none. */
export async function findOpenConsent(source: number): Promise<string | null> {
  const row = await SELECT.one
    .from(Consents)
    .columns('expiresAt')
    .where({ source_ID: source, endedAt: null, expiresAt: { '>': new Date().toISOString() } })
  return row?.expiresAt ?? null
}

/** `foreign`: another browser began it. `unknown`: never requested, or replaced by a later request. */
export type UnusableConsent = 'unknown' | 'used' | 'expired' | 'foreign'

/** A browser that opens an address of a consent. */
export interface Browser {
  /** The proof that this browser began the consent to a source. */
  proofOf(source: number): string | undefined
  /** Whether the browser followed a link on another site, such as one in a mail. */
  isSentByAnotherSite: boolean
}

type Beginning =
  | { kind: 'unusable'; why: UnusableConsent }
  | { kind: 'asked'; account: string }
  | { kind: 'begun'; source: number; url: string; newProof: string | null; milliseconds: number }

/**
 * Binds a consent to the browser that opens it first, and gives it a proof to come back with.
 * @returns `begun` with the ERP's page, or `asked` if the person must first confirm that the consent is their own wish
 */
export async function beginConsent(ticket: string | null, browser: Browser): Promise<Beginning> {
  const unusable = (why: UnusableConsent): Beginning => ({ kind: 'unusable', why })
  if (ticket === null) return unusable('unknown')
  const ticketHash = hashOf(ticket)
  const row = await SELECT.one.from(Consents).where({ ticketHash })
  if (!row) return unusable('unknown')
  if (row.usedAt) return unusable('used')
  const milliseconds = Date.parse(row.expiresAt!) - Date.now()
  if (milliseconds <= 0) return unusable('expired')
  const source = row.source_ID
  const begun = { kind: 'begun' as const, source, milliseconds }
  if (row.browserHash !== null) {
    if (!isProof(browser.proofOf(source), row.browserHash)) return unusable('foreign')
    return { ...begun, url: await readUrl(source), newProof: null }
  }
  // After the confirmation the browser comes from this service's own page.
  if (browser.isSentByAnotherSite) {
    const { account } = (await SELECT.one.from(Sources).columns('account').where({ ID: source }))!
    return { kind: 'asked', account: account! }
  }
  const url = await readUrl(source)
  const newProof = randomBytes(32).toString('base64url')
  const updated: unknown = await UPDATE.entity(Consents)
    .set({ browserHash: hashOf(newProof) })
    .where({ ticketHash, browserHash: null })
  return updated === 1 ? { ...begun, url, newProof } : unusable('foreign')
}

export const isProof = (proof: string | undefined, hash: string | null) =>
  Boolean(proof) && hashOf(proof!) === hash

async function readUrl(source: number): Promise<string> {
  const secret = (await readSecret(source, 'consent'))!
  return (JSON.parse(secret.text) as ConsentSecret).url
}

/**
 * Stores that the consent has ended, and publishes it. It must not be called inside a transaction.
 * @returns the error for the adapter
 */
export async function endConsent(source: number, problem: Problem): Promise<Fatal> {
  await cds.tx(async () => {
    const changed: unknown = await UPDATE.entity(Sources)
      .set({ status: 'reconsent_required', problem: JSON.stringify(problem) })
      .where({ ID: source, status: { in: ['connected', 'failing'] } })
    if (!changed) return
    await writeAuditLog('source.reconsent_required', `src_${source}`, problem.code)
    const data = { id: `src_${source}`, reason: problem.code }
    await publishEvents([{ type: 'source.reconsent_required', data }])
  })
  return new Fatal('reconsent_required', problem.message)
}
