import { stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import type { Piscina } from 'piscina'

/** Pairs `from` up to `to`. */
export interface Range {
  from: number
  to: number
}

const PAIRS_PER_TASK = 200
/** Below it, the workers take longer to start than the work itself. */
const WORTH_WORKERS_BYTES = { plain: 8_000_000, packed: 1_000_000 }

/** Threads that start while the file is still being read; none where the file is small. */
export interface Workers {
  pool: Piscina | null
}

/**
 * @param worker module whose default export takes `{ job, range }`
 * @param threads 1 does the work in this thread
 */
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
  if (threads < 2 || size < least) return { pool: null }
  const { Piscina } = await import('piscina')
  const pool = new Piscina({ filename: worker.href, minThreads: threads, maxThreads: threads })
  return { pool }
}

/**
 * Does the work on pairs 0 up to `count`, here or in the workers.
 * @returns the results in the order of the pairs, however many workers there are
 */
export async function overRanges<Job, Result>(
  { pool }: Workers,
  count: number,
  job: Job,
  work: (job: Job, range: Range) => Result,
): Promise<Result[]> {
  const ranges: Range[] = []
  for (let from = 0; from < count; from += PAIRS_PER_TASK)
    ranges.push({ from, to: Math.min(count, from + PAIRS_PER_TASK) })
  if (!pool) return ranges.map((range) => work(job, range))
  return Promise.all(ranges.map((range) => pool.run({ job, range }) as Promise<Result>))
}

export async function stopWorkers({ pool }: Workers): Promise<void> {
  await pool?.destroy()
}

/** The neighbour of a module, built or not. */
export const neighbour = (module: string, name: string): URL =>
  new URL(name + module.slice(module.lastIndexOf('.')), module)
