// Access to a source is tested, or consent is requested, before anything is stored. This file reads no database.
import type { Adapter, Connection, Credentials, StreamCheck } from '../../../adapters/adapter.ts'
import { Fatal, Retriable } from '../../../adapters/errors.ts'
import { quickSignal } from '../../../adapters/http/quick.ts'
import { facade } from '../../base/cap/facade.ts'
import { Refusal } from '../../base/errors.ts'
import { isLoopbackHost } from '../../base/http/addresses.ts'
import { isProduction, routeOfPlatform, settings } from '../../base/settings/config.ts'
import type { ConnectionInput } from './connection-input.ts'
import {
  basicHeader,
  type ClientInput,
  type ConsentRequest,
  type OAuthClient,
  oauthFetch,
  requestConsent,
  requestTokens,
} from './oauth/client.ts'
import { findDestination } from './oauth/destination.ts'
import {
  type ClientPlan,
  type ConsentPlan,
  headerOf,
  OAuthRefusal,
  type Plan,
  planOf,
  type Tokens,
} from './oauth/tokens.ts'
import { excessScopes, grantedScopes, rightsGrantedByCheck } from './problems.ts'

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
  const { checks, isRefused } = await testStreams(adapter, connection, header)
  if (isRefused) throw refusal()
  const [first] = checks
  const failed = checks.filter(({ status }) => status === 'failed')
  if (first && failed.length === checks.length) {
    throw new Retriable(first.message ?? 'The ERP did not answer as expected.')
  }
  if (first && checks.every(({ status }) => status === 'failed' || status === 'absent')) {
    throw nothingFound(connection, first)
  }
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

/** The address of the callback, as registered with the ERP's OAuth client. @throws Refusal internal_error */
function redirectUri(): string {
  const { publicUrl } = settings()
  const base = publicUrl ?? routeOfPlatform() ?? localAddress()
  return `${base.replace(/(?<!\/)\/+$/, '')}/oauth/callback`
}

function localAddress(): string {
  const { url } = facade.server
  if (url && !isProduction()) return url
  throw new Refusal(
    'internal_error',
    'The consent page cannot redirect to this service: set cds.restock.publicUrl to its address.',
  )
}

/** A server on this machine, for development, may redirect to plain http. */
function assertRedirect({ needsHttps, tokenEndpoint }: ConsentPlan, uri: string) {
  if (!needsHttps || uri.startsWith('https:') || isLoopbackHost(new URL(tokenEndpoint).hostname))
    return
  const message =
    `This ERP sends the browser back to https addresses only, and not to ${uri}: ` +
    'set cds.restock.publicUrl to the https address of this service.'
  throw invalid('type', message)
}

const invalid = (target: string, message: string) =>
  new Refusal('invalid_parameter', message, { target })

const missingParameter = (target: string) =>
  invalid(target, `${target} is needed for this kind of source.`)

const nothingFound = ({ baseUrl }: Connection, { message }: StreamCheck) => {
  const target = baseUrl ? 'base_url' : 'account'
  return invalid(
    target,
    `${target}: nothing that is read is at this address. ${message ?? ''}`.trim(),
  )
}

const clientRefused = () =>
  new Refusal('invalid_parameter', 'The ERP refuses this client_id with this client_secret.', {
    target: 'client_secret',
    sentence: { key: 'client_refused', args: { client: 'client_id', secret: 'client_secret' } },
  })

const destinationRefused = () =>
  invalid(
    'options.destination',
    'The ERP refuses what this destination gives: correct the destination.',
  )

const excessRights = (excess: string[]) =>
  invalid(
    'client_id',
    `The ERP grants this client rights that were not asked for (${excess.join(', ').slice(0, 300)}): remove them from the client.`,
  )

const CLIENT_CODES = ['invalid_client', 'unauthorized_client', 'invalid_grant', 'access_denied']

/** The refusal of a request to connect a source; an unexpected error is returned unchanged. */
export function toRefusal(error: unknown): unknown {
  if (error instanceof OAuthRefusal) {
    if (CLIENT_CODES.includes(error.code)) return clientRefused()
    return invalid('client_id', error.message)
  }
  if (error instanceof Fatal) {
    const target = error.target ?? 'account'
    return invalid(target, `${target}: ${error.message}`)
  }
  if (error instanceof Retriable) {
    return new Refusal('source_unavailable', error.message, {
      retryAfter: Math.ceil((error.afterMs ?? 10_000) / 1000),
    })
  }
  return error
}

const TEST_MS = 20_000

/** Tests credentials that are not stored yet on every stream, and whether the ERP refuses them. @throws Fatal | Retriable */
export async function testStreams(adapter: Adapter, connection: Connection, header: string) {
  let isRefused = false
  const credentials: Credentials = {
    async authorization(refused) {
      // Refused credentials are not sent again: a few wrong passwords lock a user.
      isRefused ||= refused !== undefined
      if (!isRefused) return header
      throw new Fatal('reconsent_required', 'The ERP refuses these credentials.')
    },
  }
  const signal = quickSignal(TEST_MS)
  try {
    const checks = await adapter.check({ ...connection, credentials }, signal)
    return { checks, isRefused }
  } catch (error) {
    if (isRefused) return { checks: [], isRefused }
    if (signal.aborted) throw new Retriable('The ERP did not answer in time.')
    throw error
  }
}

const REACH_MS = 8_000

/**
 * Checks, before somebody is sent to a consent page, that the server that exchanges the code answers. Any answer will do; it
 * usually refuses a GET.
 * @throws Retriable
 */
async function assertReachable({ tokenEndpoint, caFile }: ConsentPlan): Promise<void> {
  const signal = quickSignal(REACH_MS)
  try {
    const get = { method: 'GET', headers: {}, body: undefined, redirect: 'manual', signal } as const
    await oauthFetch(caFile ?? null)(tokenEndpoint, get)
  } catch (error) {
    if (!signal.aborted) throw error
    throw new Retriable(
      `${new URL(tokenEndpoint).host} did not answer within ${REACH_MS / 1000} seconds.`,
    )
  }
}

const FILES_MS = 10_000

/** The results of checking the streams of a source without credentials; empty if that takes too long. */
export async function checkFiles(adapter: Adapter, connection: Connection): Promise<StreamCheck[]> {
  const signal = AbortSignal.timeout(FILES_MS)
  return adapter.check(connection, signal).catch((error: unknown) => {
    if (signal.aborted) return []
    throw error
  })
}
