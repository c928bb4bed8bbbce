import type { Days, EpochDay } from '../../types.ts'
import type { BoostedHorizon } from '../boosting/boosting.ts'
import { trainBoosting } from '../boosting/train.ts'
import { METHODS } from '../methods/index.ts'
import { type Calibration, type HorizonBucket, LEARNT_HORIZONS } from './calibration.ts'
import { equalWeights, greedyWeights } from './greedy.ts'
import { pastSeries, type SampledSeries } from './past-series.ts'
import { pastWindows } from './past-windows.ts'
import { learnTail } from '../tail.ts'

/** With fewer past windows the equal mix is as good. */
const FEWEST_WINDOWS = 150

/** What the past teaches about one horizon; plain data. */
export interface LearntHorizon {
  isEnough: boolean
  bucket: HorizonBucket
  boosted: BoostedHorizon | null
}

/**
 * Learns from the past of a tenant's series, by horizon: each method forecasts a sample of them from
 * past days on; what then was sold says which methods to trust, and where their mix is off.
 * @param sample some hundred histories, each with its location's context
 * @returns null where the past is too short to say anything
 */
export const calibrate = (sample: readonly SampledSeries[], asOf: EpochDay): Calibration | null =>
  calibrationOf(LEARNT_HORIZONS.map((horizon) => learnHorizon(sample, asOf, horizon)))

/**
 * A part of {@link calibrate}: the windows of one horizon are let go before those of the next are made,
 * or made by another thread.
 * @param horizon one of {@link LEARNT_HORIZONS}
 */
export function learnHorizon(
  sample: readonly SampledSeries[],
  asOf: EpochDay,
  horizon: Days,
): LearntHorizon {
  const windows = pastWindows(
    sample.map((one) => pastSeries(one, asOf)),
    horizon,
  )
  const isEnough = windows.evidence >= FEWEST_WINDOWS
  const weights = isEnough ? greedyWeights(windows) : equalWeights()
  const tail = learnTail(windows, weights, horizon)
  const bucket = { windows: windows.count, weights, ...(tail && { tail }) }
  return { isEnough, bucket, boosted: trainBoosting(windows, weights, horizon) }
}

/** What was learnt about all {@link LEARNT_HORIZONS}, in their order. */
export function calibrationOf(learnt: readonly LearntHorizon[]): Calibration | null {
  if (learnt.every(({ isEnough }) => !isEnough)) return null
  return {
    methods: METHODS.map(({ name }) => name),
    buckets: learnt.map(({ bucket }) => bucket),
    boosting: { horizons: learnt.flatMap(({ boosted }) => boosted ?? []) },
  }
}
