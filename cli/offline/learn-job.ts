import {
  calibrate,
  type Calibration,
  type EpochDay,
  type LocationContext,
} from '../../engine/index.ts'
import { calibrationSample } from './calibration-sample.ts'
import type { Histories } from './histories.ts'

/** A day as of which to learn. Its histories are shared with the worker. */
export interface LearnJob {
  histories: Histories
  asOf: EpochDay
  contexts: LocationContext[]
  /** Position of a pair's location in `contexts`. */
  locationOfPair: Int32Array
}

/** What the series of a file teach each other. */
export function learn({ histories, asOf, contexts, locationOfPair }: LearnJob): Calibration | null {
  const sample = calibrationSample(histories, asOf, (pair) => contexts[locationOfPair[pair]!]!)
  return calibrate(sample, asOf)
}
