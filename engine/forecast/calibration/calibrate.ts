import type { Days, EpochDay } from '../../types.ts'
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
 * Learns from the past of a tenant's series which methods to trust, by horizon:
 * every 28 days of the year before `asOf`, each method forecasts a sample of the series.
 * @param sample a few hundred histories, each with its location's context
 * @returns null where the past is too short to say anything
 */
export function calibrate(sample: readonly SampledSeries[], asOf: EpochDay): Calibration | null {
  const windows = pastWindows(
    sample,
    asOf,
    BUCKETS.map(({ horizon }) => horizon),
  )
  if (windows.every(({ count }) => count < FEWEST_WINDOWS)) return null
  return {
    methods: METHODS.map(({ name }) => name),
    buckets: BUCKETS.map(({ upTo }, i) => bucketOf(upTo, windows[i]!)),
  }
}

function bucketOf(upTo: Days, windows: PastWindows): HorizonBucket {
  const enough = windows.count >= FEWEST_WINDOWS
  const weights = enough ? greedyWeights(windows) : equalWeights()
  return { upTo, windows: windows.count, weights }
}
