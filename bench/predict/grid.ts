import {
  calibrate,
  contextsOf,
  type DemandHistory,
  forecastPair,
  toEpochDay,
} from '../../engine/index.ts'
import { makeHistories, grocery } from '../accuracy/synthetic.ts'
import { cores } from './cores.ts'

export const AS_OF = '2026-11-01'
const START = toEpochDay(AS_OF)
const SERIES = 1500
const DAYS = 730

/** Series per second on one core for all horizons, with and without the trees; and on two cores. */
export async function grid(): Promise<void> {
  const series = twoYears(SERIES)
  const context = contextsOf(
    series.map((history) => ({ location: '', history })),
    START,
  ).get('')!
  const start = process.cpuUsage()
  const calibration = calibrate(
    series.slice(0, 1200).map((history) => ({ history, context })),
    START,
  )!
  const learning = process.cpuUsage(start).user / 1e6
  console.log(`${SERIES} series of ${DAYS} days, one thread; learnt in ${learning.toFixed(1)} s`)
  const weights = { ...calibration, boosting: undefined }
  for (const [name, known] of [
    ['mix of the methods', weights],
    ['with the trees', calibration],
  ] as const) {
    const pass = () => series.forEach((history) => forecastPair(history, START, context, known))
    pass()
    const before = process.cpuUsage()
    pass()
    const seconds = process.cpuUsage(before).user / 1e6
    console.log(`  ${name}: ${Math.round(SERIES / seconds)} series/s`)
  }
  await cores(series, START, context, calibration)
}

/** Made-up groceries, of the two years before {@link AS_OF}. */
export const twoYears = (series: number) => makeHistories(series, grocery).map(lastDays)

function lastDays({ days, quantities }: DemandHistory): DemandHistory {
  const from = days.findIndex((day) => day >= START - DAYS)
  return { days: days.subarray(from), quantities: quantities.subarray(from) }
}
