import type { Adapter, Connection, Credentials, StreamCheck } from '../../../adapters/adapter.ts'
import { Fatal, Retriable } from '../../../adapters/errors.ts'

const TIMEOUT_MS = 20_000

/** A right that is not stored yet, tried on every stream. */
export class AccessTest {
  readonly #header: string
  /** Whether the ERP answered it with 401. */
  refused = false

  constructor(header: string) {
    this.#header = header
  }

  /** @throws Fatal | Retriable */
  async check(adapter: Adapter, connection: Connection): Promise<StreamCheck[]> {
    const credentials: Credentials = {
      authorization: async (refused) => {
        // Not once more than needed: a few wrong passwords lock a user.
        this.refused ||= refused !== undefined
        if (!this.refused) return this.#header
        throw new Fatal('reconsent_required', 'The ERP refuses the right that was given.')
      },
    }
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    try {
      return await adapter.check({ ...connection, credentials }, signal)
    } catch (error) {
      if (this.refused) return []
      if (signal.aborted) throw new Retriable('The ERP did not answer in time.')
      throw error
    }
  }

  /** @throws Retriable where no stream could be tried at all */
  assertAnswered(checks: StreamCheck[]) {
    const failed = checks.filter(({ status }) => status === 'failed')
    if (!checks.length || failed.length < checks.length) return
    throw new Retriable(`The ERP did not answer as expected: ${failed[0]!.message ?? 'no reason'}`)
  }
}
