import os from 'node:os'
import { Piscina } from 'piscina'
import type { ForecastTask } from './worker.ts'

const suffix = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
let pool: Piscina<ForecastTask, string[]> | undefined

/** Forecasts a chunk of series on a worker thread; the models come back as JSON. */
export function forecastChunk(task: ForecastTask): Promise<string[]> {
  pool ??= new Piscina({
    filename: new URL(`./worker.${suffix}`, import.meta.url).href,
    maxThreads: os.availableParallelism(),
    minThreads: 0,
    idleTimeout: 30_000,
  })
  return pool.run(task)
}

export async function closePool() {
  await pool?.destroy()
  pool = undefined
}
