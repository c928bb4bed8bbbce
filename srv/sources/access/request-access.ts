// The right to read a source: tried, or asked for, before anything of it is stored. No database here.
import type { Adapter, Connection, StreamCheck } from '../../../adapters/adapter.ts'
import { Refusal } from '../../errors.ts'
import type { ConnectionInput } from '../connection-input.ts'
import { findDestination } from '../oauth/destination.ts'
import {
  basicHeader,
  type ConsentRequest,
  requestConsent,
  type ClientInput,
  freshTokens,
  type OAuthClient,
} from '../oauth/client.ts'
import { type ClientPlan, type Plan, planOf } from '../oauth/plan.ts'
import { headerOf, type Tokens } from '../oauth/tokens.ts'
import { redirectUri } from '../consent/redirect-uri.ts'
import { excessOf, grantedByCheck, grantedOf } from '../rights.ts'
import { AccessTest } from './access-test.ts'

/** Granted at once, or a page at which somebody must consent. */
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

/** @throws Refusal, Fatal, OAuthRefusal, Retriable: all but the first as `toRefusal` translates them */
export async function requestAccess(
  adapter: Adapter,
  { connection, destination }: ConnectionInput,
  client: ClientInput,
): Promise<Access> {
  if (destination) {
    const { header } = await findDestination(destination)
    return accessBy(adapter, connection, header, destinationRefused)
  }
  const plan = planOf(adapter, connection)
  switch (plan.kind) {
    case 'none': {
      adapter.streams(connection)
      const needed = adapter.neededRights(connection)
      return { kind: 'connected', needed, granted: needed, checks: [], tokens: null }
    }
    case 'basic': {
      const { clientId, clientSecret } = withSecret(client)
      return accessBy(adapter, connection, basicHeader(clientId, clientSecret))
    }
    case 'client_credentials':
      return accessOfClient(adapter, connection, plan, withSecret(client))
    case 'authorization_code': {
      const back = redirectUri()
      const needed = rightsOf(adapter, connection, plan)
      const request = await requestConsent(plan, withId(client), back)
      return { kind: 'consent', needed, request, redirectUri: back, scopes: plan.scopes }
    }
  }
}

/** What an admin is shown as needed: the scopes themselves where the ERP has them. */
export function rightsOf(adapter: Adapter, connection: Connection, plan: Plan): string[] {
  const scopes = 'scopes' in plan ? plan.scopes : []
  return scopes.length ? scopes : adapter.neededRights(connection)
}

async function accessOfClient(
  adapter: Adapter,
  connection: Connection,
  plan: ClientPlan,
  client: OAuthClient,
): Promise<Access> {
  const tokens = await freshTokens(plan, client, null)
  const excess = excessOf(tokens.scopes, plan.scopes)
  if (excess.length) throw tooMuch(excess)
  const access = await accessBy(adapter, connection, headerOf(tokens))
  if (!plan.scopes.length) return { ...access, tokens }
  const granted = grantedOf(tokens.scopes, plan.scopes)
  return { ...access, tokens, needed: plan.scopes, granted }
}

async function accessBy(
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
  const granted = grantedByCheck(needed, checks)
  return { kind: 'connected' as const, needed, granted, checks, tokens: null }
}

function withId({ clientId, clientSecret }: ClientInput): OAuthClient {
  if (clientId) return { clientId, clientSecret: clientSecret ?? null }
  throw missing('client_id')
}

function withSecret(client: ClientInput) {
  const { clientId, clientSecret } = withId(client)
  if (clientSecret) return { clientId, clientSecret }
  throw missing('client_secret')
}

const missing = (target: string) =>
  new Refusal('invalid_parameter', `${target} is needed for this kind of source.`, { target })

export const clientRefused = () =>
  new Refusal('invalid_parameter', 'The ERP refuses this client_id with this client_secret.', {
    target: 'client_secret',
  })

const destinationRefused = () =>
  new Refusal('invalid_parameter', 'The ERP refuses what this destination gives: mend it.', {
    target: 'options.destination',
  })

const tooMuch = (excess: string[]) =>
  new Refusal(
    'invalid_parameter',
    `The ERP grants this client rights that were not asked for (${excess.join(', ').slice(0, 300)}): take them from it.`,
    { target: 'client_id' },
  )
