import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pRetry from 'p-retry'
import type { Adapter, Connection, Credentials } from '../../../adapters/adapter.ts'
import { Fatal, Retriable } from '../../../adapters/errors.ts'
import { adapterOf } from '../../../adapters/index.ts'
import { Secrets, Sources } from '../../base/database/entities.ts'
import { readSecret, replaceSecret } from '../../base/database/secrets/vault.ts'
import { ownFolder } from '../../base/settings/config.ts'
import { acquireLease, type Lease, releaseLease } from '../../base/work/lease.ts'
import { endConsent } from './consents.ts'
import { basicHeader, type OAuthClient, requestTokens } from './oauth/client.ts'
import { type Destination, findDestination } from './oauth/destination.ts'
import { headerOf, OAuthRefusal, planOf, type TokenPlan, type Tokens } from './oauth/tokens.ts'
import { CLIENT_REFUSED, excessScopes, NO_TOKENS, problemOfRefresh } from './problems.ts'

/** The adapter of a source and what it needs to read. */
export async function connectionOf(
  source: number,
): Promise<{ adapter: Adapter; connection: Connection }> {
  const row = (await SELECT.one.from(Sources).where({ ID: source }))!
  const adapter = adapterOf(row.type!)
  if (!adapter) throw new Error(`There is no adapter for ${row.type}.`)
  const { account, role, baseUrl } = row
  const connection: Connection = {
    account: account!,
    role: role!,
    baseUrl: baseUrl!,
    options: JSON.parse(row.options ?? '{}') as Connection['options'],
  }
  if (row.demo) connection.internal = { csvRoot: ownFolder() }
  connection.credentials = credentialsOf(source, adapter, connection, row.destination)
  return { adapter, connection }
}

/**
 * Credentials of a source for its adapter: read from the store, renewed before they expire and when the ERP
 * refuses them. Null for a source that needs none.
 */
function credentialsOf(
  source: number,
  adapter: Adapter,
  connection: Connection,
  destination: string | null,
): Credentials | null {
  if (destination) {
    return destinationCredentials(destination, connection, () =>
      endConsent(source, {
        code: 'destination_refused',
        message: `The ERP refuses what the destination ${destination} gives: correct the destination.`,
      }),
    )
  }
  const plan = planOf(adapter, connection)
  if (plan.kind === 'none') return null
  if (plan.kind === 'basic') return userCredentials(source)
  let current: Tokens | undefined
  return {
    async authorization(refused) {
      if (!current || !isUsable(plan, current, refused))
        current = await readValidTokens(source, plan, refused)
      return headerOf(current)
    },
  }
}

/** Credentials of a communication user, whose password cannot be renewed. */
function userCredentials(source: number): Credentials {
  let held: string | undefined
  let ended: Promise<Fatal> | undefined
  return {
    async authorization(refused) {
      // A refused password is not sent again: a few wrong passwords lock a user.
      if (ended) throw await ended
      if (held && held !== refused) return held
      const { clientId, clientSecret } = await readClient(source)
      held = basicHeader(clientId, clientSecret ?? '')
      if (held !== refused) return held
      ended ??= endConsent(source, CLIENT_REFUSED)
      throw await ended
    },
  }
}

/**
 * Credentials of a BTP destination. They are never stored: the Destination service keeps them.
 * @param refused called when the ERP refuses them; returns the error to throw
 */
function destinationCredentials(
  name: string,
  { baseUrl }: Connection,
  refused: () => Promise<Fatal>,
): Credentials {
  let current: Destination | undefined
  return {
    async authorization(header) {
      if (current && current.renewAt > Date.now() && current.header !== header)
        return current.header
      current = await findDestination(name)
      if (current.header === header) throw await refused()
      assertSameSystem(name, current.url, baseUrl)
      return current.header
    },
  }
}

/** A token is sent only to the system that was connected. */
function assertSameSystem(name: string, url: string, baseUrl: string | null) {
  if (baseUrl && new URL(baseUrl).origin === new URL(url).origin) return
  throw new Fatal(
    'destination_moved',
    `The destination ${name} points to another system than the connected one: connect that system as a new source.`,
    'options.destination',
  )
}

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
function isUsable(plan: TokenPlan, tokens: Tokens, refused?: string): boolean {
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
    retries: 5,
    minTimeout: 200,
    randomize: true,
  })

async function readTokens(source: number): Promise<StoredTokens | null> {
  const secret = await readSecret(source, 'tokens')
  return secret && { tokens: JSON.parse(secret.text) as Tokens, version: secret.version }
}
