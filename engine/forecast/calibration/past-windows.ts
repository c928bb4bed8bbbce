import type { Days, Units } from '../../types.ts'
import { METHODS } from '../methods/index.ts'
import { promotionFactorOf } from '../promotions.ts'
import type { Series } from '../series.ts'
import { widthFactor } from '../width.ts'
import { yearlyFactorOf } from '../yearly.ts'
import { knownAt, LOOK_BACK, type PastSeries, seriesAt } from './past-series.ts'

/** What the methods said at past origins of series, and what then was sold, for one horizon. */
export interface PastWindows {
  count: number
  /** What they count for: windows that overlap say little more than as many days without overlap. */
  evidence: number
  /** Times at which they begin, as far as windows do not overlap. */
  times: number
  /** P10, P50, P90 of each method: `[(window × methods + method) × 3 + level]`. */
  quantiles: Float64Array
  demand: Float64Array
  /** What a loss is divided by, to count alike over series and horizons. */
  scale: Float64Array
  /** The width of a short history, by which the mix will be stretched. */
  width: Float64Array
  /** The unit of the window's series. */
  unit: Float64Array
  /** Days of history that it had. */
  historyDays: Float64Array
  /** The windows of two series of three, from which weights and trees are learnt … */
  readonly learning: Uint32Array
  /** … and those of the third one, which judge what these say. */
  readonly judging: Uint32Array
  /** The series as it was known at the window's origin, until the next call; the horizon in its steps. */
  seriesOf(window: number): { series: Series; steps: number }
}

/** Series and origin together, at most: what may be learnt in some seconds. */
const MOST_ORIGINS = 16_000
const FEWEST_ORIGINS = 13
/** Days between two origins of a series, closer where there are few series. */
const STEP: Days = 28
const FEW_SERIES = 300
const SHORTEST: Days = 56
/** One of so many series judges. */
const OF_SERIES = 3
const JUDGE = 1
const YEAR: Days = 365

/** Columns of as many windows as there may be: memory is taken as they fill. */
class Windows implements PastWindows {
  count = 0
  evidence = 0
  times = 0
  readonly quantiles: Float64Array
  readonly demand: Float64Array
  readonly scale: Float64Array
  readonly width: Float64Array
  readonly unit: Float64Array
  readonly historyDays: Float64Array
  readonly #series: readonly PastSeries[]
  readonly #horizon: Days
  /** The series of each window, and the step at which it starts. */
  readonly #number: Int32Array
  readonly #end: Int32Array

  constructor(series: readonly PastSeries[], horizon: Days, most: number) {
    this.#series = series
    this.#horizon = horizon
    this.quantiles = new Float64Array(3 * METHODS.length * most)
    this.demand = new Float64Array(most)
    this.scale = new Float64Array(most)
    this.width = new Float64Array(most)
    this.unit = new Float64Array(most)
    this.historyDays = new Float64Array(most)
    this.#number = new Int32Array(most)
    this.#end = new Int32Array(most)
  }

  get learning() {
    return this.#windowsWhere((number) => number % OF_SERIES !== JUDGE)
  }

  get judging() {
    return this.#windowsWhere((number) => number % OF_SERIES === JUDGE)
  }

  #windowsWhere(isWanted: (series: number) => boolean): Uint32Array {
    const windows: number[] = []
    for (let w = 0; w < this.count; w++) if (isWanted(this.#number[w]!)) windows.push(w)
    return Uint32Array.from(windows)
  }

  seriesOf(window: number): { series: Series; steps: number } {
    const past = this.#series[this.#number[window]!]!
    const steps = stepsOf(past, this.#horizon)
    return { series: seriesAt(past, this.#end[window]!, steps), steps }
  }

  /** @param share what it counts for */
  add(number: number, end: number, scale: Units, share: number): void {
    const past = this.#series[number]!
    const steps = stepsOf(past, this.#horizon)
    const series = seriesAt(past, end, steps)
    const at = this.count++
    forecastByMethod(series, steps, this.quantiles, at * METHODS.length * 3)
    this.demand[at] = sumOf(past.values.subarray(end, end + steps))
    this.scale[at] = scale * steps
    this.width[at] = widthFactor(steps, series.length)
    this.unit[at] = series.unit
    this.historyDays[at] = series.length * past.stepDays
    this.#number[at] = number
    this.#end[at] = end
    this.evidence += share
  }
}

/**
 * Goes back some weeks at a time: the newest window ends with the series, since what happened last
 * tells most.
 */
export function pastWindows(series: readonly PastSeries[], horizon: Days): PastWindows {
  const step = series.length <= FEW_SERIES ? STEP / 2 : STEP
  const often = Math.max(FEWEST_ORIGINS, Math.floor(MOST_ORIGINS / Math.max(1, series.length)))
  const origins = Math.min(often, Math.floor(LOOK_BACK / step) + 1)
  const windows = new Windows(series, horizon, origins * series.length)
  series.forEach((past, number) => {
    const { stepDays, values } = past
    const distance = Math.max(1, Math.round(step / stepDays))
    const steps = stepsOf(past, horizon)
    for (let k = 0; k < origins && k * distance * stepDays <= LOOK_BACK; k++) {
      const end = values.length - steps - k * distance
      if (end * stepDays < SHORTEST) break
      const scale = scaleAt(past, end)
      const share = Math.min(1, distance / steps)
      if (scale > 0) {
        windows.add(number, end, scale, share)
        windows.times = Math.max(windows.times, (k + 1) * share)
      }
    }
  })
  return windows
}

const stepsOf = ({ stepDays }: PastSeries, horizon: Days) =>
  Math.max(1, Math.round(horizon / stepDays))

/** Mean change of the demand from step to step; 0 where too little was sold for a window. */
function scaleAt(past: PastSeries, end: number): Units {
  const known = knownAt(past, end)
  return salesOf(known.subarray(-Math.round(YEAR / past.stepDays))) < 2 ? 0 : meanChange(known)
}

const one = new Float64Array(3)

/** `out[at + method × 3 + level]`, in units. */
function forecastByMethod(series: Series, steps: number, out: Float64Array, at: number): void {
  const horizons = [steps]
  const factor = promotionFactorOf(series, steps) * yearlyFactorOf(series, steps)
  METHODS.forEach((method, m) => {
    method.forecast(series, horizons, one)
    for (let j = 0; j < 3; j++) out[at + 3 * m + j] = one[j]! * factor * series.unit
  })
}

const sumOf = (values: Float64Array): Units => values.reduce((sum, value) => sum + value, 0)

function salesOf(values: Float64Array): number {
  let sales = 0
  for (let t = 0; t < values.length; t++) if (values[t]! > 0) sales++
  return sales
}

function meanChange(values: Float64Array): Units {
  let change = 0
  for (let t = 1; t < values.length; t++) change += Math.abs(values[t]! - values[t - 1]!)
  return change / Math.max(1, values.length - 1)
}
