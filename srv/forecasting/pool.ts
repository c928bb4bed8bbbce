import os from 'node:os'
import { Piscina } from 'piscina'
import type { Calibration } from '../../engine/index.ts'
import type { CalibrateTask, ForecastTask } from './worker.ts'

const suffix = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
let threads: Piscina | undefined

function pool(): Piscina {
  threads ??= new Piscina({
    filename: new URL(`./worker.${suffix}`, import.meta.url).href,
    maxThreads: os.availableParallelism(),
    minThreads: 0,
    idleTimeout: 30_000,
  })
  return threads
}

/** Forecasts a chunk of series on a worker thread; the models come back as JSON. */
export const forecastChunk = (task: ForecastTask): Promise<string[]> =>
  pool().run(task, { name: 'forecastAll' })

/** Learns from the past of a sample on a worker thread. */
export const calibrateSample = (task: CalibrateTask): Promise<Calibration | null> =>
  pool().run(task, { name: 'calibrateAll' })

export async function closePool() {
  await threads?.destroy()
  threads = undefined
}
