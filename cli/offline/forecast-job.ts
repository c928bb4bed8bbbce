import {
  forecastPair,
  inheritedModel,
  mergeHistories,
  predictUntil,
  sharesBefore,
} from '../../engine/index.ts'
import type {
  Calibration,
  Days,
  EpochDay,
  ForecastModel,
  Inheritance,
  LocationContext,
} from '../../engine/index.ts'
import { historyOf } from './histories.ts'
import type { Known } from './learn-job.ts'
import type { Range } from './workers.ts'

/** Input of all workers. */
export interface ForecastJob extends Known {
  horizons: Days[]
  calibration: Calibration | null
  /** Of pairs that follow others; absent where none are known. */
  inheritances?: ReadonlyMap<number, Inheritance>
  /** The day from which on nobody asks for a pair any more; absent where none is known. */
  endings?: ReadonlyMap<number, EpochDay>
}

/** Forecasts by pair, then by horizon: three quantiles, confidence and drivers. */
export interface ForecastLines {
  quantiles: Float64Array
  confidences: string[]
  drivers: string[]
}

export function forecastRange({ job, range }: { job: ForecastJob; range: Range }): ForecastLines {
  const { from, to } = range
  const quantiles = new Float64Array(3 * job.horizons.length * (to - from))
  const lines: ForecastLines = { quantiles, confidences: [], drivers: [] }
  let at = 0
  for (let pair = from; pair < to; pair++) {
    const context = job.contexts[job.locationOfPair[pair]!]!
    const model = modelOf(job, pair, context)
    const endsOn = job.endings?.get(pair) ?? null
    for (const horizon of job.horizons) {
      const { p10, p50, p90, confidence, drivers } = predictUntil(model, horizon, endsOn)
      quantiles[at++] = p10
      quantiles[at++] = p50
      quantiles[at++] = p90
      lines.confidences.push(confidence)
      lines.drivers.push(drivers.join(';'))
    }
  }
  return lines
}

function modelOf(job: ForecastJob, pair: number, context: LocationContext): ForecastModel {
  const { histories, asOf, calibration } = job
  const own = historyOf(histories, pair)
  const inheritance = job.inheritances?.get(pair)
  if (!inheritance) return forecastPair(own, asOf, context, calibration)
  const { predecessors, endings, takesOverOn } = inheritance
  const former = predecessors.map((each) => historyOf(histories, each))
  const history = { ...own, ...mergeHistories(own, former, takesOverOn) }
  const model = forecastPair(history, asOf, context, calibration)
  const ending = former.map((each, at) => ({ history: each, endsOn: endings[at]! }))
  return inheritedModel(model, sharesBefore(own, ending, asOf))
}
