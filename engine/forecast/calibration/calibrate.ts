import type { Days, EpochDay } from '../../types.ts'
import { trainBoosting } from '../boosting/train.ts'
import { METHODS } from '../methods/index.ts'
import type { Calibration, HorizonBucket } from './calibration.ts'
import { equalWeights, greedyWeights } from './greedy.ts'
import { pastWindows, type PastWindows, type SampledSeries } from './past-windows.ts'

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
  const windows = pastWindows(
    sample,
    asOf,
    BUCKETS.map(({ horizon }) => horizon),
  )
  if (windows.every(({ evidence }) => evidence < FEWEST_WINDOWS)) return null
  const buckets = BUCKETS.map(({ upTo }, i) => bucketOf(upTo, windows[i]!))
  const boosted = BUCKETS.map(({ horizon }, i) =>
    trainBoosting(windows[i]!, buckets[i]!.weights, horizon),
  )
  return {
    methods: METHODS.map(({ name }) => name),
    buckets,
    boosting: { horizons: boosted.filter((one) => one !== null) },
  }
}

function bucketOf(upTo: Days, windows: PastWindows): HorizonBucket {
  const enough = windows.evidence >= FEWEST_WINDOWS
  const weights = enough ? greedyWeights(windows) : equalWeights()
  return { upTo, windows: windows.count, weights }
}
