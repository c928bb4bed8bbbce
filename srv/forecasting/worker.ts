import {
  type Calibration,
  type Days,
  type EpochDay,
  forecastPair,
  learnHorizon,
  type LearntHorizon,
  type LocationContext,
} from '../../engine/index.ts'
import { type PackedHistories, unpackHistories } from './pack-histories.ts'
import { replaySeries } from './quality/replay.ts'

/** Histories, each with its location's context. */
interface Task {
  asOf: EpochDay
  histories: PackedHistories
  locations: string[]
  contexts: Record<string, LocationContext>
}

export interface ForecastTask extends Task {
  calibration: Calibration | null
}

export interface LearnTask extends Task {
  horizon: Days
}

export const forecastAll = ({ asOf, histories, locations, contexts, calibration }: ForecastTask) =>
  locations.map((location, i) =>
    JSON.stringify(
      forecastPair(unpackHistories(histories, i), asOf, contexts[location]!, calibration),
    ),
  )

export function learnOne({
  asOf,
  histories,
  locations,
  contexts,
  horizon,
}: LearnTask): LearntHorizon {
  const sample = locations.map((location, i) => ({
    history: unpackHistories(histories, i),
    context: contexts[location]!,
  }))
  return learnHorizon(sample, asOf, horizon)
}

export interface ReplayTask extends Pick<Task, 'histories' | 'locations'> {
  origins: EpochDay[]
  /** By location. */
  knownUntil: Record<string, EpochDay>
}

export function replayAll({ origins, histories, locations, knownUntil }: ReplayTask) {
  const sample = locations.map((location, i) => ({
    location,
    history: unpackHistories(histories, i),
  }))
  return replaySeries(sample, origins, knownUntil)
}
