import {
  calibrationOf,
  calibrationSample,
  learnHorizon,
  LEARNT_HORIZONS,
} from '../../engine/index.ts'
import type {
  Calibration,
  Days,
  EpochDay,
  LearntHorizon,
  LocationContext,
} from '../../engine/index.ts'
import { type Histories, historyOf } from './histories.ts'
import { runTasks, type Workers } from './workers.ts'

/** What is known of the pairs of a file as of a day. The histories are in shared memory. */
export interface Known {
  histories: Histories
  asOf: EpochDay
  contexts: LocationContext[]
  /** Index of each pair's location in `contexts`. */
  locationOfPair: Int32Array
}

interface LearnJob extends Known {
  /** The pairs that the file learns from, in natural order. */
  sample: number[]
}

interface LearnTask {
  job: LearnJob
  horizon: Days
}

/** Learns the calibration from the series of a file, one horizon per thread. */
export async function learn(workers: Workers, job: LearnJob): Promise<Calibration | null> {
  const tasks = LEARNT_HORIZONS.map((horizon): LearnTask => ({ job, horizon }))
  return calibrationOf(await runTasks(workers, tasks, learnOne, (learnt) => learnt))
}

export function learnOne({ job, horizon }: LearnTask): LearntHorizon {
  const { histories, asOf, contexts, locationOfPair } = job
  const chosen = calibrationSample(job.sample, (pair) => historyOf(histories, pair), asOf)
  const series = chosen.map((pair) => ({
    history: historyOf(histories, pair),
    context: contexts[locationOfPair[pair]!]!,
  }))
  return learnHorizon(series, asOf, horizon)
}
