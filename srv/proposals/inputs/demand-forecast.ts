import {
  demandDistribution,
  type Distribution,
  type Days,
  type DayOverride,
  type ForecastModel,
  overriddenDistribution,
  overriddenQuantiles,
  type Quantiles,
  predictQuantiles,
} from '../../../engine/index.ts'
import type { DemandForecast } from '../../../engine/proposal/index.ts'

/**
 * A forecast as inventory arithmetic asks for it; each horizon is answered once.
 * @param until days after which there is no demand
 * @param overrides what planners say instead
 */
export function demandOf(
  model: ForecastModel,
  until?: Days,
  overrides: readonly DayOverride[] = [],
): DemandForecast {
  if (!overrides.length)
    return remembered(until, {
      at: (days) => predictQuantiles(model, days),
      distribution: (days) => demandDistribution(model, days),
    })
  return {
    ...remembered(until, {
      at: (days) => overriddenQuantiles(model, overrides, days),
      distribution: (days) => overriddenDistribution(model, overrides, days),
    }),
    statistical: demandOf(model, until),
    overrides,
  }
}

function remembered(until: Days | undefined, demand: Answers): DemandForecast {
  const answers: Quantiles[] = []
  const distributions: Distribution[] = []
  return {
    at: (horizon) => {
      const days = Math.min(horizon, until ?? horizon)
      return (answers[days] ??= demand.at(days))
    },
    distribution: (horizon) => (distributions[horizon] ??= demand.distribution(horizon)),
    ...(until !== undefined && { until }),
  }
}

type Answers = Pick<DemandForecast, 'at' | 'distribution'>
