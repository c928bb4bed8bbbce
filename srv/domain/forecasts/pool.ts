import os from 'node:os'
import { Piscina } from 'piscina'
import {
  type Calibration,
  calibrationOf,
  LEARNT_HORIZONS,
  type LearntHorizon,
} from '../../../engine/index.ts'
import { transferable } from './pack-histories.ts'
import type { Score, SeriesScore } from '../quality/replay.ts'
import type { ForecastTask, LearnTask, ReplayTask } from './worker.ts'

const suffix = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
/** A thread's arrays are short-lived, so little room for garbage is enough. */
const RESOURCE_LIMITS = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 }
let threads: Piscina | undefined

function pool(): Piscina {
  threads ??= new Piscina({
    filename: new URL(`./worker.${suffix}`, import.meta.url).href,
    maxThreads: os.availableParallelism(),
    minThreads: 0,
    idleTimeout: 30_000,
    resourceLimits: RESOURCE_LIMITS,
  })
  return threads
}

/** Ends the thread of a task that is not wanted any more, when it is aborted. */
type Stop = AbortSignal | undefined

/** Forecasts a chunk of series on a worker thread; the models come back as JSON. The task is used up. */
export const forecastChunk = (task: ForecastTask, signal: Stop): Promise<string[]> =>
  pool().run(task, { name: 'forecastAll', transferList: transferable(task.histories), signal })

/** Learns from the past of a sample on the worker threads, a horizon each. */
export async function learnFrom(
  task: Omit<LearnTask, 'horizon'>,
  signal: Stop,
): Promise<Calibration | null> {
  const learnt = LEARNT_HORIZONS.map((horizon) => {
    return pool().run({ ...task, horizon }, { name: 'learnOne', signal }) as Promise<LearntHorizon>
  })
  return calibrationOf(await Promise.all(learnt))
}

/** `series` of the scores is the place in the sample. */
export interface Replayed {
  scores: Score[]
  series: SeriesScore[]
}

/** Forecasts a sample's past on a worker thread. The task is used up. */
export const replaySample = (task: ReplayTask, signal: Stop): Promise<Replayed> =>
  pool().run(task, { name: 'replayAll', transferList: transferable(task.histories), signal })

export async function closePool() {
  await threads?.destroy()
  threads = undefined
}
