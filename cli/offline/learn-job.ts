import {
  type Calibration,
  calibrationOf,
  type Days,
  type EpochDay,
  LEARNT_HORIZONS,
  learnHorizon,
  type LearntHorizon,
  type LocationContext,
} from '../../engine/index.ts'
import { calibrationSample } from './calibration-sample.ts'
import type { Histories } from './histories.ts'
import { once, type Workers } from './workers.ts'

/** A day as of which to learn. Its histories are shared with the worker. */
export interface LearnJob {
  histories: Histories
  asOf: EpochDay
  contexts: LocationContext[]
  /** Position of a pair's location in `contexts`. */
  locationOfPair: Int32Array
}

interface LearnTask {
  job: LearnJob
  horizon: Days
}

/** What the series of a file teach each other, a horizon on each thread. */
export async function learn(workers: Workers, job: LearnJob): Promise<Calibration | null> {
  const learnt = LEARNT_HORIZONS.map((horizon) => once(workers, { job, horizon }, learnOne))
  return calibrationOf(await Promise.all(learnt))
}

export function learnOne({ job, horizon }: LearnTask): LearntHorizon {
  const { histories, asOf, contexts, locationOfPair } = job
  const sample = calibrationSample(histories, asOf, (pair) => contexts[locationOfPair[pair]!]!)
  return learnHorizon(sample, asOf, horizon)
}
