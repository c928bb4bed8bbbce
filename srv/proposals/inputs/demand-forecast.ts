import {
  demandDistribution,
  type Distribution,
  type Days,
  type ForecastModel,
  type Quantiles,
  predictQuantiles,
} from '../../../engine/index.ts'
import type { DemandForecast } from '../../../engine/proposal/index.ts'

/**
 * A forecast as inventory arithmetic asks for it; each horizon is answered once.
 * @param until days after which there is no demand
 */
export function demandOf(model: ForecastModel, until?: Days): DemandForecast {
  const answers: Quantiles[] = []
  const distributions: Distribution[] = []
  return {
    at: (horizon) => {
      const days = Math.min(horizon, until ?? horizon)
      return (answers[days] ??= predictQuantiles(model, days))
    },
    distribution: (horizon) => (distributions[horizon] ??= demandDistribution(model, horizon)),
    ...(until !== undefined && { until }),
  }
}
