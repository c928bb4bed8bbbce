import {
  type DemandHistory,
  type EpochDay,
  forecastPair,
  type LocationContext,
} from '../../engine/index.ts'

export interface ForecastTask {
  asOf: EpochDay
  series: { history: DemandHistory; location: string }[]
  contexts: Record<string, LocationContext>
}

export default function forecast({ asOf, series, contexts }: ForecastTask): string[] {
  return series.map(({ history, location }) =>
    JSON.stringify(forecastPair(history, asOf, contexts[location]!)),
  )
}
