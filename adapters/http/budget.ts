import { setTimeout as sleep } from 'node:timers/promises'
import PQueue from 'p-queue'
import { Retriable } from '../errors.ts'

/** Successful answers in a row after which concurrency grows by one. */
const RECOVERY = 50
/** Refusals within this time count as one. */
const ONE_REFUSAL_MS = 250

/**
 * Limits the concurrent requests to a source. When the ERP answers "too many requests" concurrency is
 * halved and requests pause for the time that the ERP asks for; concurrency then grows by one at a time.
 */
export class Budget {
  readonly #most: number
  readonly #queue: PQueue
  #answers = 0
  #quietUntil = 0

  /** @param most at least 1 */
  constructor(most: number) {
    this.#most = most
    this.#queue = new PQueue({ concurrency: most })
  }

  get concurrency(): number {
    return this.#queue.concurrency
  }

  /**
   * @param longestWaitMs the longest pause after a refusal that the caller accepts
   * @throws Retriable | the signal's reason when it is aborted before the task has ended
   */
  async run<T>(task: () => Promise<T>, longestWaitMs: number, signal: AbortSignal): Promise<T> {
    // p-queue does not get the signal: with a long-lived signal it would keep the result of every task.
    return this.#queue.add(async () => {
      await this.untilWelcome(longestWaitMs, signal)
      return task()
    })
  }

  /**
   * Waits while the ERP wants to be left alone. A task that has done something else meanwhile, such as fetching a token,
   * asks again just before it calls the ERP.
   * @throws Retriable | the signal's reason
   */
  async untilWelcome(longestWaitMs: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    for (let quiet; (quiet = this.#quietUntil - Date.now()) > 0;) {
      if (quiet > longestWaitMs) throw new Retriable('The ERP wants to be left alone.', quiet)
      await pause(quiet, signal)
    }
  }

  /** Records a successful answer. */
  recordSuccess(): void {
    if (++this.#answers < RECOVERY || this.#queue.concurrency >= this.#most) return
    this.#answers = 0
    this.#queue.concurrency++
  }

  /** Halves concurrency and pauses, after the ERP has refused a request as too many. */
  slowDown(waitMs = 0): void {
    const now = Date.now()
    this.#answers = 0
    if (now >= this.#quietUntil) {
      this.#queue.concurrency = Math.max(1, Math.floor(this.#queue.concurrency / 2))
    }
    this.#quietUntil = Math.max(this.#quietUntil, now + Math.max(waitMs, ONE_REFUSAL_MS))
  }
}

/** @throws the signal's reason */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}
