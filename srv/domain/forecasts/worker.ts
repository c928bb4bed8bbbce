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
export interface HistoriesInput {
  asOf: EpochDay
  histories: PackedHistories
  /** Of each history; null where nothing is planned. */
  plans: readonly SeriesPlan[] | null
  locations: string[]
  contexts: Record<string, LocationContext>
}

export interface ForecastInput extends HistoriesInput {
  calibration: Calibration | null
}

/** The models as JSON. */
export const forecastAll = ({ calibration, ...input }: ForecastInput): string[] =>
  input.locations.map((location, i) =>
    JSON.stringify(
      forecastPair(historyAt(input, i), input.asOf, input.contexts[location]!, calibration),
    ),
  )

export interface LearningInput extends HistoriesInput {
  horizon: Days
}

export function learnOne({ horizon, ...input }: LearningInput): LearntHorizon {
  const sample = input.locations.map((location, i) => ({
    history: historyAt(input, i),
    context: input.contexts[location]!,
  }))
  return learnHorizon(sample, input.asOf, horizon)
}

const historyAt = ({ histories, plans }: HistoriesInput, i: number) => {
  const history = unpackHistories(histories, i)
  return plans ? { ...history, ...plans[i] } : history
}
