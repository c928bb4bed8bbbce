import { stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
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
/** A thread's arrays are short-lived, so a small young generation keeps its heap below 64 MB. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 256 }

/** Rows become garbage as soon as they are read; a larger young generation would only use more memory. */
const LITTLE_GARBAGE = '--semi-space-growth-factor=1'
/** It would not grow in the threads to come either: they begin with all of it, which is three such spaces (MB). */
const ALL_AT_ONCE = `--min-semi-space-size=${RESOURCE_LIMITS.maxYoungGenerationSizeMb / 3}`

/** Worker threads; the first one starts while the file is read. Null for small files. */
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
  setFlagsFromString(ALL_AT_ONCE)
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

/** Runs one task, in a worker if there are workers. */
export function runTask<Task, Result>(
  { pool }: Workers,
  task: Task,
  work: (task: Task) => Result,
): Promise<Result> {
  return pool ? pool.run(task, { name: work.name }) : Promise.resolve(work(task))
}

/**
 * Runs the work for pairs 0 up to but not including `count`, in the workers if there are any.
 * @param keep reduces each result as soon as it arrives to the part that is needed
 * @returns the reduced results in the order of the pairs
 */
export async function runRanges<Job, Result, Kept>(
  workers: Workers,
  count: number,
  job: Job,
  work: (task: { job: Job; range: Range }) => Result,
  keep: (result: Result, range: Range) => Kept,
): Promise<Kept[]> {
  const { least, most } = PAIRS_PER_TASK
  const pairs = Math.min(most, Math.max(least, Math.ceil(count / TASKS)))
  const ranges: Range[] = []
  for (let from = 0; from < count; from += pairs)
    ranges.push({ from, to: Math.min(count, from + pairs) })
  return Promise.all(
    ranges.map(async (range) => keep(await runTask(workers, { job, range }, work), range)),
  )
}

export async function stopWorkers({ pool }: Workers): Promise<void> {
  await pool?.destroy()
}

/** The URL of a module in the same folder, with the same extension (.ts, or .js when built). */
export const neighbour = (module: string, name: string): URL =>
  new URL(name + module.slice(module.lastIndexOf('.')), module)
