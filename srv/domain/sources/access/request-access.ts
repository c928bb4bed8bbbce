// Access to a source is tested, or consent is requested, before anything is stored. This file reads no database.
import type { Adapter, Connection, StreamCheck } from '../../../../adapters/adapter.ts'
import { Fatal, Retriable } from '../../../../adapters/errors.ts'
import { Refusal } from '../../../base/errors.ts'
import type { ConnectionInput } from '../connection-input.ts'
import { redirectUri } from '../consent/waiting-source.ts'
import {
  basicHeader,
  type ClientInput,
  type ConsentRequest,
  type OAuthClient,
  requestConsent,
  requestTokens,
} from '../oauth/client.ts'
import { findDestination } from '../oauth/destination.ts'
import { isLoopback } from '../oauth/fetch.ts'
import {
  type ClientPlan,
  type ConsentPlan,
  headerOf,
  OAuthRefusal,
  type Plan,
  planOf,
  type Tokens,
} from '../oauth/tokens.ts'
import { excessScopes, grantedScopes, rightsGrantedByCheck } from '../problems.ts'
import { AccessTest, assertReachable, checkFiles } from './access-test.ts'

/** Access that is granted at once, or a request for consent. */
export type Access =
  | {
      kind: 'connected'
      needed: string[]
      granted: string[]
      checks: StreamCheck[]
      tokens: Tokens | null
    }
  | {
      kind: 'consent'
      needed: string[]
      request: ConsentRequest
      redirectUri: string
      scopes: string[]
    }

/** @throws Refusal, Fatal, OAuthRefusal, Retriable; `toRefusal` translates the latter three */
export async function requestAccess(
  adapter: Adapter,
  { connection, destination }: ConnectionInput,
  client: ClientInput,
): Promise<Access> {
  if (destination) {
    const { header } = await findDestination(destination)
    return testAccess(adapter, connection, header, destinationRefused)
  }
  const plan = planOf(adapter, connection)
  switch (plan.kind) {
    case 'none': {
      adapter.streams(connection)
      const needed = adapter.neededRights(connection)
      const checks = await checkFiles(adapter, connection)
      return { kind: 'connected', needed, granted: needed, checks, tokens: null }
    }
    case 'basic': {
      const { clientId, clientSecret } = requireSecret(client)
      return testAccess(adapter, connection, basicHeader(clientId, clientSecret))
    }
    case 'client_credentials':
      return testClient(adapter, connection, plan, requireSecret(client))
    case 'authorization_code': {
      const uri = redirectUri()
      assertRedirect(plan, uri)
      const oauthClient = requireClient(client)
      await assertReachable(plan)
      const needed = neededRightsOf(adapter, connection, plan)
      const request = await requestConsent(plan, oauthClient, uri)
      return { kind: 'consent', needed, request, redirectUri: uri, scopes: plan.scopes }
    }
  }
}

/** The rights that an admin must grant: the scopes, or the adapter's rights where the ERP has no scopes. */
function neededRightsOf(adapter: Adapter, connection: Connection, plan: Plan): string[] {
  const scopes = 'scopes' in plan ? plan.scopes : []
  return scopes.length ? scopes : adapter.neededRights(connection)
}

async function testClient(
  adapter: Adapter,
  connection: Connection,
  plan: ClientPlan,
  client: OAuthClient,
): Promise<Access> {
  const tokens = await requestTokens(plan, client, null)
  const excess = excessScopes(tokens.scopes, plan.scopes)
  if (excess.length) throw excessRights(excess)
  const access = await testAccess(adapter, connection, headerOf(tokens))
  if (!plan.scopes.length) return { ...access, tokens }
  const granted = grantedScopes(tokens.scopes, plan.scopes)
  return { ...access, tokens, needed: plan.scopes, granted }
}

async function testAccess(
  adapter: Adapter,
  connection: Connection,
  header: string,
  refusal = clientRefused,
) {
  const needed = adapter.neededRights(connection)
  const test = new AccessTest(header)
  const checks = await test.check(adapter, connection)
  if (test.refused) throw refusal()
  test.assertAnswered(checks)
  const granted = rightsGrantedByCheck(needed, checks)
  return { kind: 'connected' as const, needed, granted, checks, tokens: null }
}

function requireClient({ clientId, clientSecret }: ClientInput): OAuthClient {
  if (clientId) return { clientId, clientSecret: clientSecret ?? null }
  throw missingParameter('client_id')
}

function requireSecret(client: ClientInput) {
  const { clientId, clientSecret } = requireClient(client)
  if (clientSecret) return { clientId, clientSecret }
  throw missingParameter('client_secret')
}

/** A server on this machine, for development, may redirect to plain http. */
function assertRedirect({ needsHttps, tokenEndpoint }: ConsentPlan, uri: string) {
  if (!needsHttps || uri.startsWith('https:') || isLoopback(new URL(tokenEndpoint))) return
  const message =
    `This ERP sends the browser back to https addresses only, and not to ${uri}: ` +
    'set cds.restock.publicUrl to the https address of this service.'
  throw new Refusal('invalid_parameter', message, { target: 'type' })
}

const missingParameter = (target: string) =>
  new Refusal('invalid_parameter', `${target} is needed for this kind of source.`, { target })

const clientRefused = () =>
  new Refusal('invalid_parameter', 'The ERP refuses this client_id with this client_secret.', {
    target: 'client_secret',
  })

const destinationRefused = () =>
  new Refusal(
    'invalid_parameter',
    'The ERP refuses what this destination gives: correct the destination.',
    {
      target: 'options.destination',
    },
  )

const excessRights = (excess: string[]) =>
  new Refusal(
    'invalid_parameter',
    `The ERP grants this client rights that were not asked for (${excess.join(', ').slice(0, 300)}): remove them from the client.`,
    { target: 'client_id' },
  )

const CLIENT_CODES = ['invalid_client', 'unauthorized_client', 'invalid_grant', 'access_denied']

/** The refusal of a request to connect a source; an unexpected error is returned unchanged. */
export function toRefusal(error: unknown): unknown {
  if (error instanceof OAuthRefusal) {
    if (CLIENT_CODES.includes(error.code)) return clientRefused()
    return new Refusal('invalid_parameter', error.message, { target: 'client_id' })
  }
  if (error instanceof Fatal) {
    const target = error.target ?? 'account'
    return new Refusal('invalid_parameter', `${target}: ${error.message}`, { target })
  }
  if (error instanceof Retriable) {
    return new Refusal('source_unavailable', error.message, {
      retryAfter: Math.ceil((error.afterMs ?? 10_000) / 1000),
    })
  }
  return error
}
