import type { Connection, Credentials } from '../../../adapters/adapter.ts'
import { Fatal } from '../../../adapters/errors.ts'
import { type Destination, findDestination } from '../oauth/destination.ts'

/**
 * What a BTP destination gives: the token stays with the Destination service, nothing is stored here.
 * @param refused called when the ERP refuses what the destination gives; answers with what to throw
 */
export function destinationCredentials(
  name: string,
  { baseUrl }: Connection,
  refused: () => Promise<Fatal>,
): Credentials {
  let held: Destination | undefined
  return {
    async authorization(header) {
      if (held && held.renewAt > Date.now() && held.header !== header) return held.header
      held = await findDestination(name)
      if (held.header === header) throw await refused()
      assertSameSystem(name, held.url, baseUrl)
      return held.header
    },
  }
}

/** A token goes to the system that was connected, and to no other. */
function assertSameSystem(name: string, url: string, baseUrl: string | null) {
  if (baseUrl && new URL(baseUrl).origin === new URL(url).origin) return
  throw new Fatal(
    'destination_moved',
    `The destination ${name} points to another system than was connected: connect that one as a source.`,
    'options.destination',
  )
}
