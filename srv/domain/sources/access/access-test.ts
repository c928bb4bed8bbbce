import type { Adapter, Connection, Credentials, StreamCheck } from '../../../../adapters/adapter.ts'
import { Fatal, Retriable } from '../../../../adapters/errors.ts'
import { quickSignal } from '../../../../adapters/http/quick.ts'
import { oauthFetch } from '../oauth/fetch.ts'
import type { ConsentPlan } from '../oauth/tokens.ts'

const TEST_MS = 20_000

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
    const signal = quickSignal(TEST_MS)
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

const REACH_MS = 8_000

/**
 * Before somebody is sent to a consent page: the server that exchanges the code must be there. Any answer of it
 * will do, and a refusal of GET is usual.
 * @throws Retriable
 */
export async function assertReachable({ tokenEndpoint, caFile }: ConsentPlan): Promise<void> {
  const signal = quickSignal(REACH_MS)
  try {
    await oauthFetch(caFile ?? null)(tokenEndpoint, {
      ...{ method: 'GET', headers: {}, body: undefined, redirect: 'manual', signal },
    })
  } catch (error) {
    if (!signal.aborted) throw error
    throw new Retriable(
      `${new URL(tokenEndpoint).host} did not answer within ${REACH_MS / 1000} seconds.`,
    )
  }
}

const FILES_MS = 10_000

/** What the streams of a source without credentials are like; empty where that takes too long to be waited for. */
export async function checkFiles(adapter: Adapter, connection: Connection): Promise<StreamCheck[]> {
  const signal = AbortSignal.timeout(FILES_MS)
  return adapter.check(connection, signal).catch((error: unknown) => {
    if (signal.aborted) return []
    throw error
  })
}
