import { availableParallelism } from 'node:os'
import type { Range } from './forecast-job.ts'

const PAIRS_PER_TASK = 200
/** Below it a worker takes longer to start than the work itself. */
const WORTH_A_WORKER = 600

/** Work on a range of pairs: here, or in a worker of that file with that data. */
export interface RangeWork<Data, Result> {
  data: Data
  here: (data: Data, range: Range) => Result
  /** Its default export takes a range. */
  worker: URL
}

/**
 * Does the work for pairs 0 up to `count`, on several cores where it is worth it.
 * @returns the results in the order of the pairs, however many workers there were
 */
export async function overRanges<Data, Result>(
  count: number,
  { data, here, worker }: RangeWork<Data, Result>,
  workers = availableParallelism(),
): Promise<Result[]> {
  const ranges: Range[] = []
  for (let from = 0; from < count; from += PAIRS_PER_TASK)
    ranges.push({ from, to: Math.min(count, from + PAIRS_PER_TASK) })
  if (workers < 2 || count < WORTH_A_WORKER) return ranges.map((range) => here(data, range))
  const { Piscina } = await import('piscina')
  const pool = new Piscina<Range, Result>({
    filename: worker.href,
    workerData: data,
    minThreads: Math.min(workers, ranges.length),
    maxThreads: workers,
  })
  try {
    return await Promise.all(ranges.map((range) => pool.run(range)))
  } finally {
    await pool.destroy()
  }
}
