import { quickSignal } from '../../../adapters/http/quick.ts'
import { Retriable } from '../../../adapters/errors.ts'
import { oauthFetch } from '../oauth/fetch.ts'
import type { ConsentPlan } from '../oauth/plan.ts'

const TIMEOUT_MS = 8_000

/**
 * Before somebody is sent to a consent page: the server that exchanges the code must be there. Any answer of it
 * will do, and a refusal of GET is usual.
 * @throws Retriable
 */
export async function assertReachable({ tokenEndpoint, caFile }: ConsentPlan): Promise<void> {
  const signal = quickSignal(TIMEOUT_MS)
  try {
    await oauthFetch(caFile ?? null)(tokenEndpoint, {
      ...{ method: 'GET', headers: {}, body: undefined, redirect: 'manual', signal },
    })
  } catch (error) {
    if (!signal.aborted) throw error
    throw new Retriable(
      `${new URL(tokenEndpoint).host} did not answer within ${TIMEOUT_MS / 1000} seconds.`,
    )
  }
}
