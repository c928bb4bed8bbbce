import cds from '@sap/cds'
import { runDetached } from '../cap/context.ts'
import { isDatabaseFault } from '../database/database-faults.ts'
import { untraced } from '../log/trace.ts'

interface WorkerOptions {
  /** Stands in the log lines of its rounds. */
  name: string
  /** Milliseconds between rounds, by a clock that nobody sets: one that jumps by years neither skips rounds nor makes up for them. */
  every: number
  /** One round, outside of any transaction. The signal is aborted at shutdown. */
  work(signal: AbortSignal): Promise<unknown>
  /** Seconds after which a round is given up: its signal is aborted, and the next one comes in its turn. */
  deadlineSeconds?: number
  /** Whether this instance should get no calls while a round is overdue: what callers rely on is not done. */
  isVital?: boolean
  /** At shutdown a round under way is waited for, unless this is false. */
  isAwaited?: boolean
  /** At shutdown, after the last round: waits for what the rounds have begun. */
  drain?(): Promise<unknown>
}

const DEADLINE_S = 60
/** How long a worker may take to stop. */
const STOP_MS = 12_000

/**
 * Recurring work of this instance. A round does not overlap the one before it, unless that has been given up; one that
 * fails is logged, and the next comes in its turn. What must not be done twice is decided by the rows that a round works
 * on, as between several instances.
 */
export class Worker {
  readonly #options: WorkerOptions
  #stopping = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> | undefined
  #next: Promise<void> | undefined
  #lastError: string | undefined
  #isOverdue = false
  #beganAt: number | undefined

  constructor(options: WorkerOptions) {
    this.#options = options
  }

  get name(): string {
    return this.#options.name
  }

  /** Whether a round was given up, and neither it nor a later one has ended since. */
  get isOverdue(): boolean {
    return this.#isOverdue
  }

  /** How long the round under way has taken so far; 0 between two. */
  get roundSeconds(): number {
    return this.#beganAt === undefined ? 0 : (performance.now() - this.#beganAt) / 1000
  }

  get isVital(): boolean {
    return this.#options.isVital ?? false
  }

  /** Begins the first round now. */
  start() {
    this.#stopping = new AbortController()
    this.#timer = setInterval(() => void this.#begin(), this.#options.every).unref()
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

  /** Begins nothing more, and waits for what has begun, for a time. */
  async stop() {
    clearInterval(this.#timer)
    this.#stopping.abort()
    const { name, isAwaited = true, drain } = this.#options
    const ending = (async () => {
      if (isAwaited) await this.#round
      await drain?.()
    })()
    const failed = (error: unknown) => {
      if (!isDatabaseFault(error)) cds.log(name).error('did not stop in order:', error)
    }
    await within(ending, STOP_MS).catch(failed)
  }

  #begin(): Promise<void> {
    if (this.#stopping.signal.aborted) return Promise.resolve()
    return (this.#round ??= this.#run().finally(() => (this.#round = this.#beganAt = undefined)))
  }

  /** The same failure round after round, such as a database that is away, is logged once. */
  async #run() {
    const { name, work, deadlineSeconds = DEADLINE_S } = this.#options
    const { signal: stopping } = this.#stopping
    const overdue = new AbortController()
    const signal = AbortSignal.any([stopping, overdue.signal])
    this.#beganAt = performance.now()
    const round = untraced(() => runDetached(name, () => work(signal)))
    try {
      await within(round, deadlineSeconds * 1000, () => {
        this.#isOverdue = true
        overdue.abort()
        void round.catch(() => {}).finally(() => (this.#isOverdue = false))
        return new Error(`A round did not end within ${deadlineSeconds} s and is given up.`)
      })
      this.#isOverdue = false
      this.#lastError = undefined
    } catch (error) {
      const { message } = error as Error
      if (message !== this.#lastError && !stopping.aborted) cds.log(name).error('failed:', error)
      this.#lastError = message
      // A round that fails has ended.
      if (!overdue.signal.aborted) this.#isOverdue = false
    }
  }
}

const started = new Set<Worker>()

export function startWorkers(workers: Worker[]) {
  for (const worker of workers) {
    started.add(worker)
    worker.start()
  }
}

/** Has a worker begin a round now, if it works on this instance. */
export function wakeWorker(name: string) {
  for (const worker of started) if (worker.name === name) void worker.wake()
}

/** All at once: each takes as long as its drain allows. */
export async function stopWorkers() {
  await Promise.all([...started].map((worker) => worker.stop()))
  started.clear()
}

/** Names of the workers whose last round was given up, of all or of those that callers rely on. */
export const overdueRounds = ({ ofVital = false } = {}): string[] =>
  [...started]
    .filter(({ isOverdue, isVital }) => isOverdue && (isVital || !ofVital))
    .map(({ name }) => name)

/** Of each worker of this instance: its round. */
export const roundsOfWorkers = () =>
  [...started].map(({ name, roundSeconds: seconds, isOverdue }) => ({ name, seconds, isOverdue }))

const TICK_MS = 200

const lateError = (milliseconds: number) => new Error(`There was no end within ${milliseconds} ms.`)

/**
 * Waits so long in the process's own time: none passes while something else holds the thread.
 * @param toError makes the error once the time is over
 */
export function within<T>(
  work: Promise<T>,
  milliseconds: number,
  toError: () => Error = () => lateError(milliseconds),
): Promise<T> {
  return new Promise((resolve, reject) => {
    let ticks = Math.ceil(milliseconds / TICK_MS)
    const timer = setInterval(() => {
      if (--ticks > 0) return
      clearInterval(timer)
      reject(toError())
    }, TICK_MS)
    work.then(resolve, reject).finally(() => clearInterval(timer))
  })
}
