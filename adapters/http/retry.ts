import pRetry from 'p-retry'
import { Retriable } from '../errors.ts'
import { pause } from './budget.ts'
import { hasPatience, patienceMs, rememberUnreachable } from './quick.ts'

const TRIES = 6
const BASE_MS = 1_000
/** If the ERP asks for a longer wait, the sync ends and a later one tries again. */
export const LONGEST_WAIT_MS = 60_000

/**
 * Retries after a Retriable error: after the wait that the server asks for, else after a random wait of
 * up to 1, 2, 4 … 60 seconds.
 * @throws the last Retriable | any other error of the attempt | the signal's reason
 */
export function retryTransient<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return pRetry(attempt, {
    retries: TRIES - 1,
    minTimeout: 0,
    signal,
    shouldRetry: ({ error, retriesLeft }) => {
      if (!(error instanceof Retriable) || (error.afterMs ?? 0) > LONGEST_WAIT_MS) return false
      if (hasPatience(signal, error.afterMs)) return retriesLeft > 0
      rememberUnreachable(signal, error)
      return false
    },
    async onFailedAttempt({ error, attemptNumber, retriesLeft }) {
      const isLast = retriesLeft === 0 || !(error instanceof Retriable)
      if (isLast || (error.afterMs ?? 0) > LONGEST_WAIT_MS) return
      if (!hasPatience(signal, error.afterMs)) return
      const waitMs = error.afterMs ?? backoffMs(attemptNumber)
      await pause(Math.min(waitMs, patienceMs(signal)), signal)
    },
  })
}

/** A random wait between 0 and the exponential limit (full jitter). @param attempt counted from 1 */
function backoffMs(attempt: number): number {
  return Math.random() * Math.min(LONGEST_WAIT_MS, BASE_MS * 2 ** (attempt - 1))
}
