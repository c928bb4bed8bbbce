import {
  type ForecastModel,
  type Quantiles,
  interpolateQuantile,
  predictQuantiles,
} from '../../../engine/index.ts'
import type { DemandQuantiles } from '../../../engine/proposal/index.ts'

/** A forecast as inventory arithmetic asks for it; each horizon is answered once. */
export function demandOf(model: ForecastModel): DemandQuantiles {
  const answers: Quantiles[] = []
  const at = (horizon: number) => (answers[horizon] ??= predictQuantiles(model, horizon))
  return { at, quantile: (horizon, level) => interpolateQuantile(at(horizon), level) }
}
