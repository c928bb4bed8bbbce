// What comes of a consent: the browser's answer checked, the code exchanged, the tokens stored. Network
// calls stand between the transactions, never inside them.
import cds from '@sap/cds'
import type { Source } from '#cds-models/restock'
import { writeAuditLog } from '../../store/audit.ts'
import { connectionOf } from '../../store/connections.ts'
import { readSecret, storeSecret, wipeSecrets } from '../../store/secrets/vault.ts'
import { takeConsent, type Consent, type Unusable } from './take-consent.ts'
import { readClient } from '../tokens/read-client.ts'
import { exchangeCode, type OAuthClient, revoke } from '../oauth/client.ts'
import { type ConsentPlan, planOf } from '../oauth/plan.ts'
import { headerOf, type Tokens } from '../oauth/tokens.ts'
import {
  BROKEN,
  type Problem,
  problemOfAnswer,
  problemOfExchange,
  problemOfRights,
} from '../problems.ts'
import { grantedOf } from '../rights.ts'
import type { ConsentSecret } from '../access/store-access.ts'
import { AccessTest } from '../access/access-test.ts'
import { Consents, Sources } from '../../store/entities.ts'

const { UPDATE } = cds.ql
const LOG = cds.log('sources')

/** What the browser brought back. */
export interface Answer {
  state: string
  code: string | null
  error: string | null
}

export type Outcome =
  | { kind: Unusable }
  | { kind: 'connected'; account: string; missing: string[] }
  | { kind: 'failed'; problem: Problem }

export async function completeConsent({ state, code, error }: Answer): Promise<Outcome> {
  const consent = await takeConsent(state)
  if (typeof consent === 'string') return { kind: consent }
  try {
    if (error !== null || code === null) return await fail(consent, problemOfAnswer(error))
    return await exchange(consent, code)
  } catch (failure) {
    const problem = problemOfExchange(failure)
    if (!problem) LOG.error(`the consent of src_${consent.source} broke off:`, failure)
    return await fail(consent, problem ?? BROKEN)
  }
}

async function exchange(consent: Consent, code: string): Promise<Outcome> {
  const { source, redirectUri, scopes } = consent
  const { adapter, connection } = await connectionOf(source)
  const plan = planOf(adapter, connection) as ConsentPlan
  const { client, verifier } = await askedWith(consent)
  const tokens = await exchangeCode(plan, client, { code, redirectUri, verifier })
  const refused = problemOfRights(tokens, scopes)
  if (refused) {
    await revoke(plan, client, tokens)
    return fail(consent, refused)
  }
  const granted = grantedOf(tokens.scopes, scopes)
  const checks = await new AccessTest(headerOf(tokens)).check(adapter, connection).catch(() => [])
  const kept = await keep(consent, client, tokens, {
    grantedRights: JSON.stringify(granted),
    checks: JSON.stringify(checks),
    checkedAt: checks.length ? new Date().toISOString() : null,
  })
  if (!kept) {
    await revoke(plan, client, tokens)
    return { kind: 'unknown' }
  }
  const missing = scopes.filter((scope) => !granted.includes(scope))
  return { kind: 'connected', account: connection.account, missing }
}

/** The client that asked, and the proof that it is the same that comes now. */
async function askedWith({ source, clientId }: Consent) {
  const secret = await readSecret(source, 'consent')
  const { verifier, clientSecret } = JSON.parse(secret?.text ?? '{}') as Partial<ConsentSecret>
  const held = clientSecret ?? (await readClient(source)).clientSecret
  const client: OAuthClient = { clientId, clientSecret: held }
  return { client, verifier: verifier ?? null }
}

/** Stores all of it or nothing. @returns false where the source, or this consent to it, is gone */
async function keep(
  { source, stateHash, clientId, requestedBy, scopes }: Consent,
  { clientSecret }: OAuthClient,
  tokens: Tokens,
  set: Partial<Source>,
): Promise<boolean> {
  return await asAdmin(requestedBy, () =>
    cds.tx(async () => {
      if (!(await end(source, stateHash))) return false
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

/** Notes why there is no consent. What the source held before, if anything, goes on. */
async function fail(
  { source, stateHash, requestedBy }: Consent,
  problem: Problem,
): Promise<Outcome> {
  await asAdmin(requestedBy, () =>
    cds.tx(async () => {
      if (!(await end(source, stateHash))) return
      await UPDATE.entity(Sources)
        .set({ problem: JSON.stringify(problem) })
        .where({ ID: source })
      await writeAuditLog('source.consent_failed', `src_${source}`, problem.code)
    }),
  )
  return { kind: 'failed', problem }
}

async function end(source: number, stateHash: string): Promise<boolean> {
  const ended: unknown = await UPDATE.entity(Consents)
    .set({ endedAt: new Date().toISOString() })
    .where({ source_ID: source, stateHash })
  return ended === 1
}

/** The one who asked for the consent is the one who is noted for what came of it. */
function asAdmin<T>(id: string | null, work: () => Promise<T>): Promise<T> {
  cds.context = { user: new cds.User(id ?? 'system') } as never
  return work()
}
