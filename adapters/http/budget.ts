import { setTimeout as sleep } from 'node:timers/promises'
import PQueue from 'p-queue'
import { Retriable } from '../errors.ts'

/** Answers in a row after which one more request may be under way again. */
const RECOVERY = 50
/** Refusals within this time of one another are one. */
const ONE_REFUSAL_MS = 250

/**
 * How many requests to a source may be under way at once. An ERP that says "too many" halves them
 * and is left alone for as long as it asks; they grow back one by one.
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
   * @param longestWaitMs how long the caller would wait for its turn after a refusal
   * @throws Retriable | the signal's reason when it is aborted before the task has ended
   */
  async run<T>(task: () => Promise<T>, longestWaitMs: number, signal: AbortSignal): Promise<T> {
    // The queue is not told of the signal: with one that lives long it keeps what all tasks gave back.
    return this.#queue.add(async () => {
      signal.throwIfAborted()
      for (let quiet; (quiet = this.#quietUntil - Date.now()) > 0;) {
        if (quiet > longestWaitMs) throw new Retriable('The ERP wants to be left alone.', quiet)
        await pause(quiet, signal)
      }
      return task()
    })
  }

  /** A request was answered as it should be. */
  succeeded(): void {
    if (++this.#answers < RECOVERY || this.#queue.concurrency >= this.#most) return
    this.#answers = 0
    this.#queue.concurrency++
  }

  /** The ERP has refused a request because there were too many. */
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
