import { loadavg } from 'node:os'
import { Piscina } from 'piscina'
import type { Calibration, DemandHistory, LocationContext } from '../../engine/index.ts'
import { type ForecastJob, forecastRange } from '../../cli/offline/forecast-job.ts'
import { runRanges } from '../../cli/offline/workers.ts'

const TIMES = 8

/** The speed-up by a second thread: in elapsed time, which needs two free cores, and in CPU time of the process. */
export async function cores(
  series: DemandHistory[],
  asOf: number,
  context: LocationContext,
  calibration: Calibration,
): Promise<void> {
  const job = jobOf(series, asOf, context, calibration)
  const one = await run(job, null)
  const pool = new Piscina({
    filename: new URL('../../cli/offline/worker.ts', import.meta.url).href,
    minThreads: 1,
    maxThreads: 1,
    concurrentTasksPerWorker: 2,
  })
  const two = await run(job, pool)
  await pool.destroy()
  console.log(
    `  two threads against one: ${(one.clock / two.clock).toFixed(2)} × by the clock,`,
    `${((2 * one.cpu) / two.cpu).toFixed(2)} × by the seconds of their cores`,
    `(load ${loadavg()[0]!.toFixed(1)})`,
  )
}

async function run(job: ForecastJob, pool: Piscina | null) {
  const pass = async () => {
    const start = performance.now()
    const before = process.cpuUsage()
    await runRanges({ pool }, job.locationOfPair.length, job, forecastRange, () => null)
    const { user, system } = process.cpuUsage(before)
    return { clock: performance.now() - start, cpu: (user + system) / 1e6 }
  }
  await pass()
  return pass()
}

function jobOf(
  series: DemandHistory[],
  asOf: number,
  context: LocationContext,
  calibration: Calibration,
): ForecastJob {
  const all = Array.from({ length: TIMES }, () => series).flat()
  const starts = new Int32Array(new SharedArrayBuffer(4 * (all.length + 1)))
  all.forEach(({ days }, i) => (starts[i + 1] = starts[i]! + days.length))
  const rows = starts[all.length]!
  const days = new Int32Array(new SharedArrayBuffer(4 * rows))
  const quantities = new Float64Array(new SharedArrayBuffer(8 * rows))
  all.forEach((history, i) => {
    days.set(history.days, starts[i])
    quantities.set(history.quantities, starts[i])
  })
  const locationOfPair = new Int32Array(all.length)
  const histories = { starts, days, quantities }
  return {
    histories,
    asOf,
    horizons: [7, 28, 90],
    contexts: [context],
    locationOfPair,
    calibration,
  }
}
