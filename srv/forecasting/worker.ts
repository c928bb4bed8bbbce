import {
  calibrate,
  type Calibration,
  type DemandHistory,
  type EpochDay,
  forecastPair,
  type LocationContext,
  type SampledSeries,
} from '../../engine/index.ts'

export interface ForecastTask {
  asOf: EpochDay
  series: { history: DemandHistory; location: string }[]
  contexts: Record<string, LocationContext>
  calibration: Calibration | null
}

export interface CalibrateTask {
  asOf: EpochDay
  sample: SampledSeries[]
}

export function forecastAll({ asOf, series, contexts, calibration }: ForecastTask): string[] {
  return series.map(({ history, location }) =>
    JSON.stringify(forecastPair(history, asOf, contexts[location]!, calibration)),
  )
}

export const calibrateAll = ({ sample, asOf }: CalibrateTask) => calibrate(sample, asOf)
