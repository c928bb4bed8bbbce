import type { LocationContext } from '../../series/context.ts'
import { toSteps } from '../../series/steps.ts'
import type { Days, DemandHistory, EpochDay } from '../../types.ts'
import { METHODS } from '../methods/index.ts'
import { prepare, type Series } from '../series.ts'
import { widthFactor } from '../width.ts'

/** What the methods said at past origins, and what then was sold. */
export interface PastWindows {
  count: number
  /** P10, P50, P90 of each method: `[(window × methods + method) × 3 + level]`. */
  quantiles: number[]
  demand: number[]
  /** What a loss is divided by, to count alike over series and horizons. */
  scale: number[]
  /** The width of a short history, by which the mix will be stretched. */
  width: number[]
}

export interface SampledSeries {
  history: DemandHistory
  context: LocationContext
}

const ORIGINS = 13
const STEP: Days = 28
const SHORTEST: Days = 56
const YEAR: Days = 365

const noWindows = (): PastWindows => ({
  count: 0,
  quantiles: [],
  demand: [],
  scale: [],
  width: [],
})

/** Goes back over the year before `asOf`, 28 days at a time, for one horizon after the other. */
export function pastWindows(
  sample: readonly SampledSeries[],
  asOf: EpochDay,
  horizons: readonly Days[],
): PastWindows[] {
  const windows = horizons.map(noWindows)
  for (const { history, context } of sample) {
    const { values, stepDays } = toSteps(history, asOf, context)
    const steps = horizons.map((horizon) => Math.max(1, Math.round(horizon / stepDays)))
    const distance = Math.max(1, Math.round(STEP / stepDays))
    for (let k = 1; k <= ORIGINS; k++) {
      const end = values.length - k * distance
      if (end * stepDays < SHORTEST) break
      addOrigin(values, end, stepDays, steps, windows)
    }
  }
  return windows
}

function addOrigin(
  values: Float64Array,
  end: number,
  stepDays: Days,
  horizons: number[],
  windows: PastWindows[],
): void {
  const past = values.subarray(0, end)
  const scale = meanChange(past)
  const known = [...new Set(horizons)].filter((horizon) => end + horizon <= values.length)
  if (!known.length || scale === 0) return
  if (salesOf(past.subarray(-Math.round(YEAR / stepDays))) < 2) return
  const series = prepare(past, stepDays)
  const quantiles = everyMethod(series, known)
  const size = 3 * METHODS.length
  horizons.forEach((horizon, bucket) => {
    const at = known.indexOf(horizon)
    if (at < 0) return
    const into = windows[bucket]!
    for (const value of quantiles.subarray(at * size, (at + 1) * size)) into.quantiles.push(value)
    into.demand.push(sumOf(values.subarray(end, end + horizon)))
    into.scale.push(scale * horizon)
    into.width.push(widthFactor(horizon, series.length))
    into.count++
  })
}

/** `[(horizon × methods + method) × 3 + level]`, in units. */
function everyMethod(series: Series, horizons: number[]): Float64Array {
  const all = new Float64Array(3 * METHODS.length * horizons.length)
  const one = new Float64Array(3 * horizons.length)
  METHODS.forEach((method, m) => {
    method.forecast(series, horizons, one)
    for (let i = 0; i < horizons.length; i++)
      for (let j = 0; j < 3; j++)
        all[(i * METHODS.length + m) * 3 + j] = one[3 * i + j]! * series.unit
  })
  return all
}

const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0)

function salesOf(values: Float64Array): number {
  let sales = 0
  for (let t = 0; t < values.length; t++) if (values[t]! > 0) sales++
  return sales
}

function meanChange(values: Float64Array): number {
  let change = 0
  for (let t = 1; t < values.length; t++) change += Math.abs(values[t]! - values[t - 1]!)
  return change / Math.max(1, values.length - 1)
}
