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
import { type PackedHistories, unpackHistories } from '../../base/database/demand/pack-histories.ts'

/** Histories, each with its location's context. */
export interface HistoriesTask {
  asOf: EpochDay
  histories: PackedHistories
  /** Of each history; null where nothing is planned. */
  plans: readonly SeriesPlan[] | null
  locations: string[]
  contexts: Record<string, LocationContext>
}

export interface ForecastTask extends HistoriesTask {
  calibration: Calibration | null
}

/** The models as JSON. */
export const forecastAll = ({ calibration, ...task }: ForecastTask): string[] =>
  task.locations.map((location, i) =>
    JSON.stringify(
      forecastPair(historyAt(task, i), task.asOf, task.contexts[location]!, calibration),
    ),
  )

export interface LearnTask extends HistoriesTask {
  horizon: Days
}

export function learnOne({ horizon, ...task }: LearnTask): LearntHorizon {
  const sample = task.locations.map((location, i) => ({
    history: historyAt(task, i),
    context: task.contexts[location]!,
  }))
  return learnHorizon(sample, task.asOf, horizon)
}

const historyAt = ({ histories, plans }: HistoriesTask, i: number) => {
  const history = unpackHistories(histories, i)
  return plans ? { ...history, ...plans[i] } : history
}
