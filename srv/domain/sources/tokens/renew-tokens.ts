import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pRetry from 'p-retry'
import { Retriable } from '../../../../adapters/errors.ts'
import { Secrets, Sources } from '../../../base/database/entities.ts'
import { readSecret, replaceSecret } from '../../../base/database/secrets/vault.ts'
import { acquireLease, type Lease, releaseLease } from '../../../base/work/lease.ts'
import { endConsent } from '../consent/waiting-source.ts'
import { type OAuthClient, requestTokens } from '../oauth/client.ts'
import { headerOf, OAuthRefusal, type TokenPlan, type Tokens } from '../oauth/tokens.ts'
import { excessScopes, NO_TOKENS, problemOfRefresh } from '../problems.ts'

/** The OAuth client or communication user with which a source was connected. */
export async function readClient(source: number): Promise<OAuthClient> {
  const row = await SELECT.one.from(Sources).columns('clientId').where({ ID: source })
  const secret = await readSecret(source, 'client_secret')
  return { clientId: row?.clientId ?? '', clientSecret: secret?.text ?? null }
}

// One renewal at a time for each source, in this process and among instances. No network call is made inside a
// transaction; new tokens are stored before they are used.

/** Longer than the timeout of a call to the token endpoint. */
const LEASE_MS = 30_000
const POLL_MS = 100

const renewals = new Map<number, Promise<Tokens>>()

/**
 * The stored tokens if they are still valid, else new ones.
 * @param refused the header that the ERP has just refused
 * @throws Fatal `reconsent_required`, `secret_unreadable`; Retriable
 */
export async function readValidTokens(
  source: number,
  plan: TokenPlan,
  refused?: string,
): Promise<Tokens> {
  for (let work = renewals.get(source); work; work = renewals.get(source)) {
    const joined = await work
    if (isUsable(plan, joined, refused)) return joined
  }
  return startRenewal(source, plan, refused)
}

function startRenewal(source: number, plan: TokenPlan, refused?: string): Promise<Tokens> {
  const work = renewTokens(source, plan, refused).finally(() => renewals.delete(source))
  renewals.set(source, work)
  return work
}

/** Whether tokens may be used; tokens that cannot be renewed are used until the ERP refuses them. */
export function isUsable(plan: TokenPlan, tokens: Tokens, refused?: string): boolean {
  if (headerOf(tokens) === refused) return false
  const isRenewable = plan.kind === 'client_credentials' || tokens.refreshToken !== null
  return !isRenewable || tokens.renewAt === null || tokens.renewAt > Date.now()
}

async function renewTokens(source: number, plan: TokenPlan, refused?: string): Promise<Tokens> {
  const end = Date.now() + 2 * LEASE_MS
  for (;;) {
    const held = await readTokens(source)
    if (!held) throw await endConsent(source, NO_TOKENS)
    if (isUsable(plan, held.tokens, refused)) return held.tokens
    const lease = leaseOf(source)
    if (await acquireLease(lease, LEASE_MS, { where: { version: held.version } })) {
      const fresh = await renewStored(source, plan, held).finally(() => releaseLease(lease))
      if (fresh) return fresh
    }
    if (Date.now() > end) throw new Retriable('Another instance is renewing the tokens.', 1000)
    await sleep(POLL_MS)
  }
}

/** The lease of a renewal: only its owner calls the server. */
const leaseOf = (source: number): Lease => ({
  entity: Secrets,
  key: { source_ID: source, name: 'tokens' },
  owner: randomUUID(),
})

interface StoredTokens {
  tokens: Tokens
  version: number
}

/** @returns null where another instance has stored new tokens meanwhile */
async function renewStored(
  source: number,
  plan: TokenPlan,
  held: StoredTokens,
): Promise<Tokens | null> {
  try {
    const fresh = await requestNewTokens(source, plan, held.tokens)
    return (await storeTokens(source, fresh, held.version)) ? fresh : null
  } catch (error) {
    if (!(error instanceof OAuthRefusal)) throw error
    const now = await readTokens(source)
    if (now && now.version !== held.version) return null
    throw await endConsent(source, problemOfRefresh(error))
  }
}

async function requestNewTokens(
  source: number,
  plan: TokenPlan,
  { refreshToken }: Tokens,
): Promise<Tokens> {
  if (plan.kind === 'authorization_code' && !refreshToken) throw new OAuthRefusal('invalid_grant')
  const fresh = await requestTokens(plan, await readClient(source), refreshToken)
  if (excessScopes(fresh.scopes, plan.scopes).length) throw new OAuthRefusal('unexpected_rights')
  return fresh
}

/** Retries, because a rotated refresh token that is not stored is lost. */
const storeTokens = (source: number, fresh: Tokens, version: number) =>
  pRetry(() => replaceSecret(source, 'tokens', JSON.stringify(fresh), version), {
    ...{ retries: 5, minTimeout: 200, randomize: true },
  })

async function readTokens(source: number): Promise<StoredTokens | null> {
  const secret = await readSecret(source, 'tokens')
  return secret && { tokens: JSON.parse(secret.text) as Tokens, version: secret.version }
}
