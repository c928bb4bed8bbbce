// What it takes to open a source: tried, or asked for, before anything of it is stored. No database here.
import type { Adapter, Connection, StreamCheck } from '../../../adapters/adapter.ts'
import { Refusal } from '../../errors.ts'
import type { Entered } from '../connection-input.ts'
import { findDestination } from '../oauth/destination.ts'
import {
  basicHeader,
  type Departure,
  departure,
  type EnteredClient,
  freshTokens,
  type OAuthClient,
} from '../oauth/client.ts'
import { type ClientPlan, type Plan, planOf } from '../oauth/plan.ts'
import { headerOf, type Tokens } from '../oauth/tokens.ts'
import { redirectUri } from '../consent/redirect-uri.ts'
import { excessOf, grantedByCheck, grantedOf } from '../rights.ts'
import { Trial } from './access-test.ts'

/** Connected at once, or a page that somebody must consent at. */
export type Opening =
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
      departure: Departure
      redirectUri: string
      scopes: string[]
    }

/** @throws Refusal, Fatal, OAuthRefusal, Retriable: all but the first as `toRefusal` translates them */
export async function openingOf(
  adapter: Adapter,
  { connection, destination }: Entered,
  client: EnteredClient,
): Promise<Opening> {
  if (destination) {
    const { header } = await findDestination(destination)
    return openedBy(adapter, connection, header, destinationRefused)
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
      return openedBy(adapter, connection, basicHeader(clientId, clientSecret))
    }
    case 'client_credentials':
      return openedByClient(adapter, connection, plan, withSecret(client))
    case 'authorization_code': {
      const back = redirectUri()
      const needed = rightsOf(adapter, connection, plan)
      const left = await departure(plan, withId(client), back)
      return { kind: 'consent', needed, departure: left, redirectUri: back, scopes: plan.scopes }
    }
  }
}

/** What an admin is shown as needed: the scopes themselves where the ERP has them. */
export function rightsOf(adapter: Adapter, connection: Connection, plan: Plan): string[] {
  const scopes = 'scopes' in plan ? plan.scopes : []
  return scopes.length ? scopes : adapter.neededRights(connection)
}

async function openedByClient(
  adapter: Adapter,
  connection: Connection,
  plan: ClientPlan,
  client: OAuthClient,
): Promise<Opening> {
  const tokens = await freshTokens(plan, client, null)
  const excess = excessOf(tokens.scopes, plan.scopes)
  if (excess.length) throw tooMuch(excess)
  const opened = await openedBy(adapter, connection, headerOf(tokens))
  if (!plan.scopes.length) return { ...opened, tokens }
  const granted = grantedOf(tokens.scopes, plan.scopes)
  return { ...opened, tokens, needed: plan.scopes, granted }
}

async function openedBy(
  adapter: Adapter,
  connection: Connection,
  header: string,
  refusal = clientRefused,
) {
  const needed = adapter.neededRights(connection)
  const trial = new Trial(header)
  const checks = await trial.check(adapter, connection)
  if (trial.refused) throw refusal()
  trial.assertAnswered(checks)
  const granted = grantedByCheck(needed, checks)
  return { kind: 'connected' as const, needed, granted, checks, tokens: null }
}

function withId({ clientId, clientSecret }: EnteredClient): OAuthClient {
  if (clientId) return { clientId, clientSecret: clientSecret ?? null }
  throw missing('client_id')
}

function withSecret(client: EnteredClient) {
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
