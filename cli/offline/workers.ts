import { stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import type { Piscina } from 'piscina'

/** Pairs `from` up to `to`. */
export interface Range {
  from: number
  to: number
}

const PAIRS_PER_TASK = 200
/** Below it, the workers take longer to start than the work itself. */
const WORTH_WORKERS_BYTES = { plain: 4_000_000, packed: 500_000 }
/** A thread's arrays are short-lived, so little room for garbage is enough; its heap stays under 64 MB. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 }

/** Rows are garbage as soon as they are read: with room for more of it, the process would only be larger. */
const LITTLE_GARBAGE = '--semi-space-growth-factor=1'

/** Threads, the first of which starts while the file is still being read; none where it is small. */
export interface Workers {
  pool: Piscina | null
}

/** @param worker module that exports its work by name, each taking one argument */
export async function startWorkers(
  path: string,
  worker: URL,
  threads = availableParallelism(),
): Promise<Workers> {
  const size = await stat(path).then(
    (file) => file.size,
    () => 0,
  )
  const least = path.endsWith('.gz') ? WORTH_WORKERS_BYTES.packed : WORTH_WORKERS_BYTES.plain
  if (size < least) return { pool: null }
  setFlagsFromString(LITTLE_GARBAGE)
  const { Piscina } = await import('piscina')
  const pool = new Piscina({
    filename: worker.href,
    minThreads: 1,
    maxThreads: threads,
    idleTimeout: 60_000,
    resourceLimits: RESOURCE_LIMITS,
  })
  return { pool }
}

/** One piece of work, here or in a worker. */
export function once<Task, Result>(
  { pool }: Workers,
  task: Task,
  work: (task: Task) => Result,
): Promise<Result> {
  return pool ? pool.run(task, { name: work.name }) : Promise.resolve(work(task))
}

/**
 * Does the work on pairs 0 up to `count`, here or in the workers.
 * @param keep what is kept of a result, made as soon as it is there
 * @returns what is kept, in the order of the pairs, however many workers there are
 */
export async function overRanges<Job, Result, Kept>(
  workers: Workers,
  count: number,
  job: Job,
  work: (task: { job: Job; range: Range }) => Result,
  keep: (result: Result, range: Range) => Kept,
): Promise<Kept[]> {
  const ranges: Range[] = []
  for (let from = 0; from < count; from += PAIRS_PER_TASK)
    ranges.push({ from, to: Math.min(count, from + PAIRS_PER_TASK) })
  return Promise.all(
    ranges.map(async (range) => keep(await once(workers, { job, range }, work), range)),
  )
}

export async function stopWorkers({ pool }: Workers): Promise<void> {
  await pool?.destroy()
}

/** The neighbour of a module, built or not. */
export const neighbour = (module: string, name: string): URL =>
  new URL(name + module.slice(module.lastIndexOf('.')), module)
