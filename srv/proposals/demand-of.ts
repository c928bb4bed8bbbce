import { answer, type ForecastModel, quantile } from '../../engine/index.ts'
import type { DemandQuantiles } from '../../engine/proposal/index.ts'

/** A forecast as inventory arithmetic asks for it; each horizon is answered once. */
export function demandOf(model: ForecastModel): DemandQuantiles {
  const answers: ReturnType<DemandQuantiles['at']>[] = []
  return {
    at: (horizon) => (answers[horizon] ??= answer(model, horizon)),
    quantile: (horizon, level) => quantile(model, horizon, level),
  }
}
