import {
  demandDistribution,
  type Distribution,
  type ForecastModel,
  type Quantiles,
  predictQuantiles,
} from '../../../engine/index.ts'
import type { DemandForecast } from '../../../engine/proposal/index.ts'

/** A forecast as inventory arithmetic asks for it; each horizon is answered once. */
export function demandOf(model: ForecastModel): DemandForecast {
  const answers: Quantiles[] = []
  const distributions: Distribution[] = []
  return {
    at: (horizon) => (answers[horizon] ??= predictQuantiles(model, horizon)),
    distribution: (horizon) => (distributions[horizon] ??= demandDistribution(model, horizon)),
  }
}
