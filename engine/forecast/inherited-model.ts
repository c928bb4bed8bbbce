import type { EpochDay } from '../types.ts'
import type { ForecastModel } from './model.ts'

/**
 * The model of an heir, made of its history and that of its predecessors.
 * @param startsOn the day before which nobody asks for its SKU; null where it has been asked for
 */
export function inheritedModel(
  { drivers, ...model }: ForecastModel,
  startsOn: EpochDay | null,
): ForecastModel {
  const start = startsOn !== null && startsOn > model.asOf ? { startsOn } : {}
  return { ...model, drivers: [...drivers, 'predecessor'], ...start }
}
