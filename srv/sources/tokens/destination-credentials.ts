import type { Connection, Credentials } from '../../../adapters/adapter.ts'
import { Fatal } from '../../../adapters/errors.ts'
import { type Destination, findDestination } from '../oauth/destination.ts'

/**
 * Credentials of a BTP destination. They are never stored: the Destination service keeps them.
 * @param refused called when the ERP refuses them; returns the error to throw
 */
export function destinationCredentials(
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
