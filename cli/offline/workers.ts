import { stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { Piscina } from 'piscina'

/** Pairs `from` up to but not including `to`. */
export interface Range {
  from: number
  to: number
}

/** Each task brings what was learnt along: few of them, but enough to keep all threads busy to the end. */
const TASKS = 64
const PAIRS_PER_TASK = { least: 200, most: 400 }
/** For smaller files starting workers takes longer than the work. */
const WORTH_WORKERS_BYTES = { plain: 1_000_000, packed: 120_000 }
const WORTH_WORKERS_PAIRS = 50
/** A thread's arrays are short-lived, so a small young generation keeps its heap below 64 MB. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 256 }

/** Rows become garbage as soon as they are read; a larger young generation would only use more memory. */
const LITTLE_GARBAGE = '--semi-space-growth-factor=1'
/** It would not grow in the threads to come either: they begin with all of it, which is three such spaces (MB). */
const ALL_AT_ONCE = `--min-semi-space-size=${RESOURCE_LIMITS.maxYoungGenerationSizeMb / 3}`

/**
 * Worker threads beside this one, which works too: a thread costs 50 MB, however little it does. The first one starts while
 * the file is read. Null for small files and a single core.
 */
export interface Workers {
  pool: Piscina | null
}

/** Tasks that each of them is given at once: the next one is there when this thread is busy. */
const TASKS_AT_ONCE = 2

/** The module with the work of threads by name, of the same extension as this one: .ts, or .js when built. */
const WORKER = new URL(
  `./worker${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`,
  import.meta.url,
)

/** Works on a file with the help of threads. */
export async function withWorkers<Result>(
  path: string,
  threads: number | undefined,
  work: (workers: Workers) => Promise<Result>,
): Promise<Result> {
  const size = await stat(path).then(
    (file) => file.size,
    () => 0,
  )
  const least = path.endsWith('.gz') ? WORTH_WORKERS_BYTES.packed : WORTH_WORKERS_BYTES.plain
  return withPool(size >= least, threads, work)
}

/** Works on so many pairs, over and over, with the help of threads. */
export const withThreads = <Result>(
  threads: number | undefined,
  pairs: number,
  work: (workers: Workers) => Promise<Result>,
): Promise<Result> => withPool(pairs >= WORTH_WORKERS_PAIRS, threads, work)

async function withPool<Result>(
  isWorthIt: boolean,
  threads: number | undefined,
  work: (workers: Workers) => Promise<Result>,
): Promise<Result> {
  const workers = isWorthIt ? await startWorkers(threads) : { pool: null }
  try {
    return await work(workers)
  } finally {
    await workers.pool?.destroy()
  }
}

async function startWorkers(threads = availableParallelism()): Promise<Workers> {
  setFlagsFromString(LITTLE_GARBAGE)
  if (threads === 1) return { pool: null }
  setFlagsFromString(ALL_AT_ONCE)
  const { Piscina } = await import('piscina')
  const pool = new Piscina({
    filename: WORKER.href,
    minThreads: 1,
    maxThreads: threads - 1,
    concurrentTasksPerWorker: TASKS_AT_ONCE,
    idleTimeout: 60_000,
    resourceLimits: RESOURCE_LIMITS,
  })
  return { pool }
}

/**
 * Runs tasks on all threads.
 * @param keep reduces each result as soon as it arrives to the part that is needed
 * @returns the reduced results in the order of the tasks
 */
export async function runTasks<Task, Result, Kept>(
  { pool }: Workers,
  tasks: readonly Task[],
  work: (task: Task) => Result,
  keep: (result: Result, task: Task) => Kept,
): Promise<Kept[]> {
  const kept: Kept[] = []
  const waiting = tasks.entries()
  const inThread = async () => {
    for (const [at, task] of waiting)
      kept[at] = keep((await pool!.run(task, { name: work.name })) as Result, task)
  }
  const here = async () => {
    for (const [at, task] of waiting) {
      kept[at] = keep(work(task), task)
      // Messages of the threads get their turn.
      await setImmediate()
    }
  }
  const threads = Array.from({ length: TASKS_AT_ONCE * (pool?.maxThreads ?? 0) }, inThread)
  await Promise.all([...threads, here()])
  return kept
}

/** The same of the work for pairs 0 up to but not including `count`. */
export function runRanges<Job, Result, Kept>(
  workers: Workers,
  count: number,
  job: Job,
  work: (task: { job: Job; range: Range }) => Result,
  keep: (result: Result, range: Range) => Kept,
  { least, most } = PAIRS_PER_TASK,
): Promise<Kept[]> {
  const pairs = Math.min(most, Math.max(least, Math.ceil(count / TASKS)))
  const tasks: { job: Job; range: Range }[] = []
  for (let from = 0; from < count; from += pairs)
    tasks.push({ job, range: { from, to: Math.min(count, from + pairs) } })
  return runTasks(workers, tasks, work, (result, { range }) => keep(result, range))
}
