// How far the forecasts of made-up SKUs are off, beside others at their location, on each of some days.
import {
  contextsOf,
  type Days,
  type DemandHistory,
  type EpochDay,
  forecastPair,
  predictDemand,
} from '../../engine/index.ts'
import { poisson, randomOf } from './synthetic.ts'

const OTHERS = 20

/** Units a day from the first day on. */
export type Demand = readonly number[]

interface MadeUpYear {
  /** The day of the first value of all. */
  first: EpochDay
  days: Days
  origins: readonly EpochDay[]
  horizons: readonly Days[]
  /** SKUs by kind. */
  kinds: readonly (readonly Demand[])[]
  /** What is known of one on a day. */
  known(demand: Demand, asOf: EpochDay): DemandHistory
}

export function makeDemand(seed: number, days: Days, mean: (at: Days) => number): number[] {
  const random = randomOf(seed)
  return Array.from({ length: days }, (_, at) => poisson(mean(at), random))
}

/** Cells of a table for each kind: by horizon how far off, and then how often within P10 to P90. */
export function tellYear({ first, days, origins, horizons, kinds, known }: MadeUpYear): string[][] {
  const others = Array.from({ length: OTHERS }, (_, i) =>
    makeDemand(100 + i, days, () => 2 + (i % 7)),
  )
  const errors = kinds.map(() => horizons.map(() => ({ off: 0, came: 0, within: 0, cases: 0 })))
  for (const asOf of origins) {
    const own = kinds.map((skus) => skus.map((demand) => known(demand, asOf)))
    const all = [...others.map((demand) => known(demand, asOf)), ...own.flat()]
    const context = contextsOf(
      all.map((history) => ({ location: 'L', history })),
      asOf,
    ).get('L')!
    own.forEach((skus, kind) =>
      skus.forEach((history, sku) => {
        const model = forecastPair(history, asOf, context)
        horizons.forEach((horizon, h) => {
          const from = asOf - first
          const came = kinds[kind]![sku]!.slice(from, from + horizon).reduce((a, b) => a + b, 0)
          const { p10, p50, p90 } = predictDemand(model, horizon)
          const error = errors[kind]![h]!
          error.off += Math.abs(p50 - came)
          error.came += came
          error.within += Number(p10 <= came && came <= p90)
          error.cases++
        })
      }),
    )
  }
  return errors.map((byHorizon) => [
    ...byHorizon.map(({ off, came }) => `${Math.round((100 * off) / came)} %`),
    ...byHorizon.map(({ within, cases }) => `${Math.round((100 * within) / cases)} %`),
  ])
}
