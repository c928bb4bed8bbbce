import type { Days } from '../../types.ts'
import type { Boosting } from '../boosting/boosting.ts'
import type { Posting } from '../../series/posting.ts'
import type { LaunchRule } from '../../series/launches.ts'
import type { MeasuredCoverage } from '../coverage.ts'
import type { TailRule } from '../tail.ts'

/** What is learnt about, a bucket each; between two horizons one goes over into the other by the logarithm of days. */
export const LEARNT_HORIZONS: readonly Days[] = [7, 14, 28, 90]

/** What a tenant's own past says about the methods. Plain data, to be stored and handed back. */
export interface Calibration {
  /** Names of the methods that the weights are for, in their order. */
  methods: string[]
  /** One for each of {@link LEARNT_HORIZONS}; the first holds for all shorter ones, the last for all longer ones. */
  buckets: HorizonBucket[]
  /** What the mix's past errors taught; a horizon is absent where they are too few. */
  boosting?: Boosting
  /** Of series that are booked by week or month; without one all methods count alike there. */
  booked?: { week?: Calibration; month?: Calibration }
}

/** What holds for series that are booked so. */
export const calibrationFor = (
  calibration: Calibration | null,
  posting: Posting | null,
): Calibration | null => (posting ? (calibration?.booked?.[posting.every] ?? null) : calibration)

export interface HorizonBucket {
  /** Past windows that it was learnt from. */
  windows: number
  /** One a method, summing to 1. */
  weights: number[]
  /** What launches tell of SKUs of four weeks and more; absent where there were too few, or it is nothing. */
  launched?: LaunchRule[]
  /** How heavy demand above P90 is (distribution.ts); absent where too little exceeded it. */
  tail?: TailRule
  /** How often such forecasts held what came (confidence.ts); absent where none could be judged. */
  coverage?: MeasuredCoverage
}

/** Weights of the methods for a horizon. */
export function weightsFor({ buckets }: Calibration, horizon: Days): readonly number[] {
  const after = LEARNT_HORIZONS.findIndex((learnt) => learnt >= horizon)
  const [below, above] = [buckets[after - 1], buckets[after]]
  if (!below || !above) return (above ?? buckets.at(-1)!).weights
  const [from, to] = [LEARNT_HORIZONS[after - 1]!, LEARNT_HORIZONS[after]!]
  const share = Math.log(horizon / from) / Math.log(to / from)
  return below.weights.map((weight, m) => weight + share * (above.weights[m]! - weight))
}
