import type { Adapter, Connection, Credentials, StreamCheck } from '../../../adapters/adapter.ts'
import { Fatal, Retriable } from '../../../adapters/errors.ts'
import { quickSignal } from '../../../adapters/http/quick.ts'

const TIMEOUT_MS = 20_000

/** Tests credentials that are not stored yet on every stream. */
export class AccessTest {
  readonly #header: string
  /** Whether the ERP refused the credentials with 401. */
  refused = false

  constructor(header: string) {
    this.#header = header
  }

  /** @throws Fatal | Retriable */
  async check(adapter: Adapter, connection: Connection): Promise<StreamCheck[]> {
    const credentials: Credentials = {
      authorization: async (refused) => {
        // Refused credentials are not sent again: a few wrong passwords lock a user.
        this.refused ||= refused !== undefined
        if (!this.refused) return this.#header
        throw new Fatal('reconsent_required', 'The ERP refuses these credentials.')
      },
    }
    const signal = quickSignal(TIMEOUT_MS)
    try {
      return await adapter.check({ ...connection, credentials }, signal)
    } catch (error) {
      if (this.refused) return []
      if (signal.aborted) throw new Retriable('The ERP did not answer in time.')
      throw error
    }
  }

  /** @throws Retriable where no stream could be tested */
  assertAnswered(checks: StreamCheck[]) {
    const failed = checks.filter(({ status }) => status === 'failed')
    if (!checks.length || failed.length < checks.length) return
    throw new Retriable(failed[0]!.message ?? 'The ERP did not answer as expected.')
  }
}
