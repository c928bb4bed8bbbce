// Completes a consent: checks the callback, exchanges the code, stores the tokens. Network calls are made between
// transactions, never inside one.
import cds from '@sap/cds'
import type { Source } from '#cds-models/restock'
import { writeAuditLog } from '../../base/database/audit.ts'
import { Consents, Sources } from '../../base/database/entities.ts'
import { readSecret, storeSecret, wipeSecrets } from '../../base/database/secrets/vault.ts'
import { DAY_MS } from '../../base/time/days.ts'
import {
  type Browser,
  type ConsentSecret,
  hashOf,
  isProof,
  type UnusableConsent,
} from './consents.ts'
import { connectionOf, readClient } from './credentials.ts'
import { exchangeCode, isIssuer, type OAuthClient, revoke } from './oauth/client.ts'
import { type ConsentPlan, headerOf, planOf, type Tokens } from './oauth/tokens.ts'
import {
  CONSENT_FAILED,
  grantedScopes,
  ISSUER_MISMATCH,
  type Problem,
  problemOfError,
  problemOfExchange,
  problemOfParameter,
  problemOfRights,
  PROOF_MISSING,
} from './problems.ts'
import { testStreams } from './request-access.ts'

const LOG = cds.log('sources')

/** Parameters of the callback's address. */
export interface CallbackParameters {
  state: string
  code: string | null
  error: string | null
  /** `iss` (RFC 9207), where the server names itself. */
  issuer: string | null
  /** Any other parameter; null where it is missing, or there twice. */
  further(name: string): string | null
}

type Outcome =
  | { kind: 'unusable'; why: UnusableConsent }
  | { kind: 'connected'; source: number; account: string; missing: string[] }
  | { kind: 'failed'; source: number; problem: Problem }

export async function completeConsent(
  { state, code, error, issuer, further }: CallbackParameters,
  proofOf: Browser['proofOf'],
): Promise<Outcome> {
  const consent = await redeemConsent(state, proofOf)
  if (typeof consent === 'string') return { kind: 'unusable', why: consent }
  try {
    // An answer that names another server is not trusted: its code is not exchanged, and its refusal is not believed.
    if (issuer !== null && !(await isAsked(consent, issuer))) {
      return await storeProblem(consent, ISSUER_MISMATCH)
    }
    if (error !== null || code === null) return await storeProblem(consent, problemOfError(error))
    const foreign = await findUnexpected(consent, further)
    if (foreign) return await storeProblem(consent, problemOfParameter(foreign))
    return await exchangeAndStore(consent, code)
  } catch (failure) {
    const problem = problemOfExchange(failure)
    if (!problem) LOG.error(`the consent to src_${consent.source} could not be completed:`, failure)
    return await storeProblem(consent, problem ?? CONSENT_FAILED)
  }
}

async function isAsked({ source }: Consent, issuer: string): Promise<boolean> {
  const { adapter, connection } = await connectionOf(source)
  return isIssuer(planOf(adapter, connection) as ConsentPlan, issuer)
}

/** The first parameter that differs from what was asked for, such as another account. */
async function findUnexpected({ source }: Consent, valueOf: CallbackParameters['further']) {
  const { adapter, connection } = await connectionOf(source)
  const { expects = [] } = planOf(adapter, connection) as ConsentPlan
  return expects.find(({ name, isExpected }) => !isExpected(valueOf(name)))
}

async function exchangeAndStore(consent: Consent, code: string): Promise<Outcome> {
  const { source, redirectUri, scopes } = consent
  const { adapter, connection } = await connectionOf(source)
  const plan = planOf(adapter, connection) as ConsentPlan
  const { client, verifier } = await readRequestingClient(consent)
  if (plan.usesPkce && verifier === null) return storeProblem(consent, PROOF_MISSING)
  const tokens = await exchangeCode(plan, client, { code, redirectUri, verifier })
  const refused = problemOfRights(tokens, scopes)
  if (refused) {
    await revoke(plan, client, tokens)
    return storeProblem(consent, refused)
  }
  const granted = grantedScopes(tokens.scopes, scopes)
  const { checks } = await testStreams(adapter, connection, headerOf(tokens)).catch(() => ({
    checks: [],
  }))
  const isStored = await storeTokens(consent, client, tokens, {
    grantedRights: JSON.stringify(granted),
    checks: JSON.stringify(checks),
    checkedAt: checks.length ? new Date().toISOString() : null,
    consentEndsAt: endOf(plan),
    consentToldAt: null,
  })
  if (!isStored) {
    await revoke(plan, client, tokens)
    return { kind: 'unusable', why: 'unknown' }
  }
  const missing = scopes.filter((scope) => !granted.includes(scope))
  return { kind: 'connected', source, account: connection.account, missing }
}

/** When a consent given now ends, even if it is used; null if it lasts as long as it is used. */
const endOf = ({ consentDays }: ConsentPlan) =>
  consentDays === undefined ? null : new Date(Date.now() + consentDays * DAY_MS).toISOString()

/** The client that requested the consent, and its PKCE verifier (RFC 7636). */
async function readRequestingClient({ source, clientId }: Consent) {
  const secret = await readSecret(source, 'consent')
  const { verifier, clientSecret } = JSON.parse(secret?.text ?? '{}') as Partial<ConsentSecret>
  const secretInUse = clientSecret ?? (await readClient(source)).clientSecret
  const client: OAuthClient = { clientId, clientSecret: secretInUse }
  return { client, verifier: verifier ?? null }
}

/** Stores tokens and client in one transaction. @returns false where the source or the request no longer exists */
async function storeTokens(
  { source, stateHash, clientId, requestedBy, scopes }: Consent,
  { clientSecret }: OAuthClient,
  tokens: Tokens,
  set: Partial<Source>,
): Promise<boolean> {
  return await runAs(requestedBy, () =>
    cds.tx(async () => {
      if (!(await endRequest(source, stateHash))) return false
      await UPDATE.entity(Sources)
        .set({ ...set, clientId, status: 'connected', problem: null })
        .where({ ID: source })
      if (clientSecret) await storeSecret(source, 'client_secret', clientSecret)
      await storeSecret(source, 'tokens', JSON.stringify(tokens))
      await wipeSecrets(source, 'consent')
      await writeAuditLog('source.connected', `src_${source}`, scopes.join(' '))
      return true
    }),
  )
}

/** Stores why the consent failed. Tokens that the source already has stay in use. */
async function storeProblem(
  { source, stateHash, requestedBy }: Consent,
  problem: Problem,
): Promise<Outcome> {
  await runAs(requestedBy, () =>
    cds.tx(async () => {
      if (!(await endRequest(source, stateHash))) return
      await UPDATE.entity(Sources)
        .set({ problem: JSON.stringify(problem) })
        .where({ ID: source })
      await writeAuditLog('source.consent_failed', `src_${source}`, problem.code)
    }),
  )
  return { kind: 'failed', source, problem }
}

async function endRequest(source: number, stateHash: string): Promise<boolean> {
  const updated: unknown = await UPDATE.entity(Consents)
    .set({ endedAt: new Date().toISOString() })
    .where({ source_ID: source, stateHash })
  return updated === 1
}

/** The audit log names the user who requested the consent. */
function runAs<T>(id: string | null, work: () => Promise<T>): Promise<T> {
  cds.context = { user: new cds.User(id ?? 'system') } as never
  return work()
}

/** A request for consent to which the browser has returned. */
interface Consent {
  source: number
  stateHash: string
  redirectUri: string
  clientId: string
  scopes: string[]
  requestedBy: string | null
}

/**
 * Redeems the consent that was requested with this `state`, for exactly one caller. A browser other than the one that began
 * it leaves the consent as it is.
 */
async function redeemConsent(
  state: string,
  proofOf: Browser['proofOf'],
): Promise<Consent | UnusableConsent> {
  const stateHash = hashOf(state)
  const row = await SELECT.one.from(Consents).where({ stateHash })
  if (!row) return 'unknown'
  if (row.usedAt) return 'used'
  const now = new Date().toISOString()
  if (row.expiresAt! < now) return 'expired'
  if (!isProof(proofOf(row.source_ID), row.browserHash)) {
    LOG.warn(`a consent to src_${row.source_ID} was brought by a browser that has not begun it`)
    return 'foreign'
  }
  const updated: unknown = await UPDATE.entity(Consents)
    .set({ usedAt: now })
    .where({ stateHash, usedAt: null })
  if (updated !== 1) return 'used'
  const { source_ID: source, redirectUri, clientId, requestedBy } = row
  return {
    source,
    stateHash,
    redirectUri: redirectUri!,
    clientId: clientId!,
    requestedBy,
    scopes: JSON.parse(row.scopes!) as string[],
  }
}
