import cds from '@sap/cds'
import cron from 'node-cron'
import { runDetached } from './cap/context.ts'

export interface WorkerOptions {
  /** Stands in the log lines of its rounds. */
  name: string
  /** Milliseconds between rounds, or a cron expression in UTC. */
  every: number | string
  /** One round, outside of any transaction. The signal is aborted at shutdown. */
  work(signal: AbortSignal): Promise<unknown>
  /** At shutdown a round under way is waited for, unless this is false. */
  isAwaited?: boolean
  /** At shutdown, after the last round: waits for what the rounds have begun. */
  drain?(): Promise<unknown>
}

/**
 * Recurring work of this instance. A round never overlaps the one before it; one that fails is logged, and the next
 * comes in its turn. What several instances must not do twice is decided by the rows that a round works on.
 */
export class Worker {
  readonly #options: WorkerOptions
  #stopping = new AbortController()
  #stopTimer: (() => void) | undefined
  #round: Promise<void> | undefined
  #next: Promise<void> | undefined
  #lastError: string | undefined

  constructor(options: WorkerOptions) {
    this.#options = options
  }

  /** Begins the first round now. */
  start() {
    this.#stopping = new AbortController()
    this.#stopTimer = startTimer(this.#options.every, () => void this.#begin())
    void this.#begin()
  }

  /** Begins a round now, or right after the one under way. @returns when it has ended */
  wake(): Promise<void> {
    if (!this.#round) return this.#begin()
    return (this.#next ??= this.#round.then(() => {
      this.#next = undefined
      return this.#begin()
    }))
  }

  /** Begins nothing more, and waits for what has begun. */
  async stop() {
    this.#stopTimer?.()
    this.#stopping.abort()
    const { isAwaited = true, drain } = this.#options
    if (isAwaited) await this.#round
    await drain?.()
  }

  #begin(): Promise<void> {
    if (this.#stopping.signal.aborted) return Promise.resolve()
    return (this.#round ??= this.#run().finally(() => (this.#round = undefined)))
  }

  /** The same failure round after round, such as a database that is away, is logged once. */
  async #run() {
    const { name, work } = this.#options
    const { signal } = this.#stopping
    try {
      await runDetached(name, () => work(signal))
      this.#lastError = undefined
    } catch (error) {
      const { message } = error as Error
      if (message !== this.#lastError && !signal.aborted) cds.log(name).error('failed:', error)
      this.#lastError = message
    }
  }
}

function startTimer(every: number | string, round: () => void): () => void {
  if (typeof every === 'number') {
    const timer = setInterval(round, every).unref()
    return () => clearInterval(timer)
  }
  const options = { timezone: 'UTC', unref: true, suppressMissedWarning: true }
  const task = cron.schedule(every, round, options)
  return () => void task.destroy()
}

const started = new Set<Worker>()

export function startWorkers(workers: Worker[]) {
  for (const worker of workers) {
    started.add(worker)
    worker.start()
  }
}

/** All at once: each takes as long as its drain allows. */
export async function stopWorkers() {
  await Promise.all([...started].map((worker) => worker.stop()))
  started.clear()
}
