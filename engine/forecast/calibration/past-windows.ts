import type { LocationContext } from '../../series/context.ts'
import { mostSteps, toSteps } from '../../series/steps.ts'
import type { Days, DemandHistory, EpochDay } from '../../types.ts'
import { METHODS } from '../methods/index.ts'
import { promotionFactorOf } from '../promotions.ts'
import { prepare, type Series } from '../series.ts'
import { widthFactor } from '../width.ts'

/** What the methods said at past origins of series, and what then was sold, for one horizon. */
export interface PastWindows {
  count: number
  /** What they count for: windows that overlap say little more than as many days without overlap. */
  evidence: number
  /** P10, P50, P90 of each method: `[(window × methods + method) × 3 + level]`. */
  quantiles: number[]
  demand: number[]
  /** What a loss is divided by, to count alike over series and horizons. */
  scale: number[]
  /** The width of a short history, by which the mix will be stretched. */
  width: number[]
  /** The unit of the window's series. */
  unit: number[]
  /** The series as it was known at the window's origin, and the horizon in its steps. */
  seriesOf(window: number): { series: Series; steps: number }
}

export interface SampledSeries {
  history: DemandHistory
  context: LocationContext
}

/** Series and origin together, at most: what may be learnt in some seconds. */
const MOST_ORIGINS = 16_000
const FEWEST_ORIGINS = 13
/** Days between two origins of a series, closer where there are few series. */
const STEP: Days = 28
const FEW_SERIES = 300
/** As far back as origins go. */
const LOOK_BACK: Days = 1120
const SHORTEST: Days = 56
const YEAR: Days = 365

/** Where a series stood at a past origin. */
interface PastOrigin {
  values: Float64Array
  end: number
  most: number
  stepDays: Days
  promo?: Uint8Array
  planned: boolean
  /** The horizon, and how far one origin is from the next. */
  steps: number
  distance: number
}

class Windows implements PastWindows {
  count = 0
  evidence = 0
  readonly quantiles: number[] = []
  readonly demand: number[] = []
  readonly scale: number[] = []
  readonly width: number[] = []
  readonly unit: number[] = []
  readonly #origins: PastOrigin[] = []

  seriesOf(window: number): { series: Series; steps: number } {
    const origin = this.#origins[window]!
    return { series: seriesAt(origin), steps: origin.steps }
  }

  add(origin: PastOrigin, series: Series, quantiles: Float64Array, scale: number): void {
    const { values, end, steps } = origin
    for (const value of quantiles) this.quantiles.push(value)
    this.demand.push(sumOf(values.subarray(end, end + steps)))
    this.scale.push(scale * steps)
    this.width.push(widthFactor(steps, series.length))
    this.unit.push(series.unit)
    this.#origins.push(origin)
    this.evidence += Math.min(1, origin.distance / steps)
    this.count++
  }
}

/** The series as it was known there; a plan of promotions where one is given for the future too. */
function seriesAt(origin: PastOrigin): Series {
  const { promo, planned, end, most, stepDays, steps } = origin
  const promotions = promo && {
    past: promo.subarray(Math.max(0, end - most), end),
    coming: planned ? promo.subarray(end, end + steps) : null,
  }
  return prepare(pastOf(origin), stepDays, promotions)
}

const pastOf = ({ values, end, most }: PastOrigin) => values.subarray(Math.max(0, end - most), end)

/**
 * Goes back from `asOf`, some weeks at a time: for each of the horizons the newest window ends with
 * the series, since what happened last tells most.
 */
export function pastWindows(
  sample: readonly SampledSeries[],
  asOf: EpochDay,
  horizons: readonly Days[],
): PastWindows[] {
  const windows = horizons.map(() => new Windows())
  const origins = Math.max(FEWEST_ORIGINS, Math.floor(MOST_ORIGINS / Math.max(1, sample.length)))
  const step = sample.length <= FEW_SERIES ? STEP / 2 : STEP
  for (const { history, context } of sample) {
    const { values, stepDays, promo } = toSteps(history, asOf, context, LOOK_BACK)
    const planned = history.plan !== undefined
    const most = mostSteps(context.posting ?? null)
    const distance = Math.max(1, Math.round(step / stepDays))
    horizons.forEach((horizon, bucket) => {
      const steps = Math.max(1, Math.round(horizon / stepDays))
      for (let k = 0; k < origins && k * distance * stepDays <= LOOK_BACK; k++) {
        const end = values.length - steps - k * distance
        if (end * stepDays < SHORTEST) break
        addOrigin(
          { values, promo, planned, end, most, stepDays, steps, distance },
          windows[bucket]!,
        )
      }
    })
  }
  return windows
}

function addOrigin(origin: PastOrigin, windows: Windows): void {
  const { stepDays, steps } = origin
  const past = pastOf(origin)
  const scale = meanChange(past)
  if (scale === 0 || salesOf(past.subarray(-Math.round(YEAR / stepDays))) < 2) return
  const series = seriesAt(origin)
  windows.add(origin, series, everyMethod(series, steps), scale)
}

/** `[method × 3 + level]`, in units. */
function everyMethod(series: Series, steps: number): Float64Array {
  const all = new Float64Array(3 * METHODS.length)
  const one = new Float64Array(3)
  const horizons = [steps]
  const factor = promotionFactorOf(series, steps)
  METHODS.forEach((method, m) => {
    method.forecast(series, horizons, one)
    for (let j = 0; j < 3; j++) all[3 * m + j] = one[j]! * factor * series.unit
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
