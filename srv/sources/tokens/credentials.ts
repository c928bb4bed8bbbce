import type { Adapter, Connection, Credentials } from '../../../adapters/adapter.ts'
import type { Fatal } from '../../../adapters/errors.ts'
import { readClient } from './read-client.ts'
import { destinationCredentials } from './destination-credentials.ts'
import { endConsent } from '../consent/end-consent.ts'
import { basicHeader } from '../oauth/client.ts'
import { planOf } from '../oauth/plan.ts'
import { headerOf, type Tokens } from '../oauth/tokens.ts'
import { CLIENT_REFUSED } from '../problems.ts'
import { isUsable, validTokens } from './renew-tokens.ts'

/**
 * What opens a source to its adapter: read from the store, renewed before its end and when it was
 * refused. Null for a source that needs nothing.
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
        message: `The ERP refuses what the destination ${destination} gives: mend the destination.`,
      }),
    )
  }
  const plan = planOf(adapter, connection)
  if (plan.kind === 'none') return null
  if (plan.kind === 'basic') return userCredentials(source)
  let held: Tokens | undefined
  return {
    async authorization(refused) {
      if (!held || !isUsable(plan, held, refused)) held = await validTokens(source, plan, refused)
      return headerOf(held)
    },
  }
}

/** A communication user: there is no other password to get than the one that an admin entered. */
function userCredentials(source: number): Credentials {
  let held: string | undefined
  let lost: Promise<Fatal> | undefined
  return {
    async authorization(refused) {
      // Once refused it is not sent again: a few wrong passwords lock a user.
      if (lost) throw await lost
      if (held && held !== refused) return held
      const { clientId, clientSecret } = await readClient(source)
      held = basicHeader(clientId, clientSecret ?? '')
      if (held !== refused) return held
      lost ??= endConsent(source, CLIENT_REFUSED)
      throw await lost
    },
  }
}
