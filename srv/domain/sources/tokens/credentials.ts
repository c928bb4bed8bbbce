import type { Adapter, Connection, Credentials } from '../../../../adapters/adapter.ts'
import { Fatal } from '../../../../adapters/errors.ts'
import { readClient } from './renew-tokens.ts'
import { endConsent } from '../consent/waiting-source.ts'
import { basicHeader } from '../oauth/client.ts'
import { planOf } from '../oauth/tokens.ts'
import { headerOf, type Tokens } from '../oauth/tokens.ts'
import { CLIENT_REFUSED } from '../problems.ts'
import { isUsable, readValidTokens } from './renew-tokens.ts'
import { type Destination, findDestination } from '../oauth/destination.ts'

/**
 * Credentials of a source for its adapter: read from the store, renewed before they expire and when the ERP
 * refuses them. Null for a source that needs none.
 */
export function credentialsOf(
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
