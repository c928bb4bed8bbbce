import type { DemandForecast } from '../inventory/demand.ts'
import type { Days } from '../types.ts'
import type { Calculation, ForecastChange } from './calculation.ts'

/** What planners say of a horizon; nothing where they say nothing. */
export function overrideOf(
  { statistical, overrides = [] }: DemandForecast,
  horizon: Days,
): Pick<Calculation, 'forecastOverride'> {
  if (!statistical) return NOTHING
  const changes = new Map<number, ForecastChange>()
  for (const { ID, from, percent, units, reason } of overrides) {
    if (from >= horizon || percent === 0) continue
    changes.set(ID, { override: ID, percent, units, reason })
  }
  if (!changes.size) return NOTHING
  const { p10, p50, p90 } = statistical.at(horizon)
  return { forecastOverride: { p10, p50, p90, changes: [...changes.values()] } }
}

const NOTHING = {}
