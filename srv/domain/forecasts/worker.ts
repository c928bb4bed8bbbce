import '../../base/log/guard.ts'
import {
  type Calibration,
  type Days,
  type EpochDay,
  forecastPair,
  learnHorizon,
  type LearntHorizon,
  type LocationContext,
  type SeriesPlan,
} from '../../../engine/index.ts'
import { type PackedHistories, unpackHistories } from './pack-histories.ts'
import { scoresOf, seriesScoresOf } from '../quality/replay.ts'
import { replayCases } from '../quality/replay.ts'

/** Histories, each with its location's context. */
interface Task {
  asOf: EpochDay
  histories: PackedHistories
  /** Of each history; null where nothing is planned. */
  plans: readonly SeriesPlan[] | null
  locations: string[]
  contexts: Record<string, LocationContext>
}

export interface ForecastTask extends Task {
  calibration: Calibration | null
}

export interface LearnTask extends Task {
  horizon: Days
}

export const forecastAll = (task: ForecastTask) => {
  const { asOf, locations, contexts, calibration } = task
  return locations.map((location, i) =>
    JSON.stringify(forecastPair(historyAt(task, i), asOf, contexts[location]!, calibration)),
  )
}

const historyAt = ({ histories, plans }: Pick<Task, 'histories' | 'plans'>, i: number) => {
  const history = unpackHistories(histories, i)
  return plans ? { ...history, ...plans[i] } : history
}

export function learnOne(task: LearnTask): LearntHorizon {
  const { asOf, locations, contexts, horizon } = task
  const sample = locations.map((location, i) => ({
    history: historyAt(task, i),
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
  const cases = replayCases(sample, origins, knownUntil)
  return { scores: scoresOf(cases), series: seriesScoresOf(cases) }
}
