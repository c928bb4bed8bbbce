import type { ShareBefore } from '../series/successions.ts'
import type { ForecastModel } from './model.ts'

/**
 * The model of an heir, made of its history and that of its predecessors.
 * @param shares of the days before predecessors end
 */
export function inheritedModel(
  { drivers, ...model }: ForecastModel,
  shares: readonly ShareBefore[],
): ForecastModel {
  return {
    ...model,
    drivers: [...drivers, 'predecessor'],
    ...startOf(shares.filter(([day]) => day > model.asOf)),
  }
}

/** One share of none is a first day, as former versions read it. */
function startOf(shares: ShareBefore[]): Pick<ForecastModel, 'startsOn' | 'shares'> {
  const [[startsOn, first] = [0, 0], ...others] = shares
  if (!shares.length) return {}
  return first === 0 && !others.length ? { startsOn } : { shares }
}
