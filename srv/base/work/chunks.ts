// A step of a run is cut into chunks. On PostgreSQL all instances do them; elsewhere there is one process, which does them itself.
import cds from '@sap/cds'
import PQueue from 'p-queue'
import { handOutChunks, isHandingOut } from './hand-out.ts'
import { advanceTurn, executedRun } from './runs.ts'
import {
  atOnce,
  type Chunk,
  type ChunkContext,
  contextOf,
  doChunk,
  keyOf,
  type Of,
  type Step,
} from './steps.ts'

/** Of a run, or of a calculation that this process does for itself. */
export function chunkContext(of: Of): ChunkContext {
  const run = executedRun(of.sync)
  return contextOf(of, run ? keyOf(run) : `here ${++calls}`, run?.signal)
}

let calls = 0

/**
 * Does all chunks of a step, each once.
 * @returns the results, in the order of the chunks
 * @throws RunStopped; what a chunk throws; the reason of the run's signal once it is aborted
 */
export async function doInChunks<Input, Result>(
  step: Step<Input, Result>,
  context: ChunkContext,
  chunks: readonly Chunk<Input>[],
): Promise<Result[]> {
  const run = executedRun(context.sync)
  if (run && isHandingOut() && chunks.length > 1) return handOutChunks(step, context, run, chunks)
  // A file of SQLite has one connection, for which other chunks would only wait.
  const isAlone = cds.db.kind === 'sqlite' && !step.isOnThreads
  const queue = new PQueue({ concurrency: isAlone ? 1 : atOnce() })
  const broken = new AbortController()
  const signal = AbortSignal.any([broken.signal, ...(run ? [run.signal] : [])])
  const doOne = async ({ input, units }: Chunk<Input>) => {
    signal.throwIfAborted()
    try {
      return await doChunk(step, input, context, async ({ isAdvance }) => {
        if (run) await advanceTurn(run, units, isAdvance)
      })
    } catch (error) {
      broken.abort(error)
      throw error
    }
  }
  return queue.addAll(chunks.map((chunk) => () => doOne(chunk))).finally(() => queue.onIdle())
}
