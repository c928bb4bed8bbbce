import type { Days, EpochDay } from '../../types.ts'
import { trainBoosting } from '../boosting/train.ts'
import { METHODS } from '../methods/index.ts'
import type { Calibration, HorizonBucket } from './calibration.ts'
import { equalWeights, greedyWeights } from './greedy.ts'
import { type PastSeries, pastSeries, type SampledSeries } from './past-series.ts'
import { pastWindows } from './past-windows.ts'

/** Horizons looked back at, and up to which each speaks. */
const BUCKETS: readonly { horizon: Days; upTo: Days }[] = [
  { horizon: 7, upTo: 10 },
  { horizon: 28, upTo: 42 },
  { horizon: 90, upTo: 90 },
]
/** With fewer past windows the equal mix is as good. */
const FEWEST_WINDOWS = 150

/**
 * Learns from the past of a tenant's series, by horizon: each method forecasts a sample of them from
 * past days on; what then was sold says which methods to trust, and where their mix is off.
 * @param sample some hundred histories, each with its location's context
 * @returns null where the past is too short to say anything
 */
export function calibrate(sample: readonly SampledSeries[], asOf: EpochDay): Calibration | null {
  const series = sample.map((one) => pastSeries(one, asOf))
  const learnt = BUCKETS.map((bucket) => learnBucket(series, bucket))
  if (learnt.every(({ isEnough }) => !isEnough)) return null
  return {
    methods: METHODS.map(({ name }) => name),
    buckets: learnt.map(({ bucket }) => bucket),
    boosting: { horizons: learnt.flatMap(({ boosted }) => boosted ?? []) },
  }
}

/** One horizon at a time: the windows of one are let go before those of the next are made. */
function learnBucket(series: readonly PastSeries[], { horizon, upTo }: (typeof BUCKETS)[number]) {
  const windows = pastWindows(series, horizon)
  const isEnough = windows.evidence >= FEWEST_WINDOWS
  const weights = isEnough ? greedyWeights(windows) : equalWeights()
  const bucket: HorizonBucket = { upTo, windows: windows.count, weights }
  return { isEnough, bucket, boosted: trainBoosting(windows, weights, horizon) }
}
