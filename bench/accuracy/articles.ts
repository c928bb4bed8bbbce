// node bench/accuracy/articles.ts: what sells for the most part in one season of the year, forecast throughout the third year.
import {
  contextsOf,
  type DemandHistory,
  forecastPair,
  predictDemand,
  toDate,
  toEpochDay,
} from '../../engine/index.ts'
import { poisson, randomOf } from './synthetic.ts'

const FIRST = toEpochDay('2023-01-01')
const ORIGINS = Array.from({ length: 24 }, (_, i) => toEpochDay('2025-10-01') + 15 * i)
const HORIZONS = [28, 90]
const SKUS = 3
const OTHERS = 20
const EASTER = ['2023-04-09', '2024-03-31', '2025-04-20', '2026-04-05', '2027-03-28'].map(
  toEpochDay,
)

const inYear = (from: string, to: string) => (day: number) => {
  const date = toDate(day).slice(5)
  return from <= date && date <= to
}
const beforeEaster = (day: number) => EASTER.some((feast) => feast - 28 <= day && day < feast)

/** Units a day in its season, and beside it. */
const KINDS: [name: string, season: (day: number) => boolean, units: number, beside: number][] = [
  ...[0, 0.1, 0.6, 2].map(
    (beside) => ['Christmas', inYear('11-15', '12-24'), 20, beside] as (typeof KINDS)[number],
  ),
  ...[0, 0.5].map(
    (beside) => ['summer', inYear('04-01', '08-31'), 10, beside] as (typeof KINDS)[number],
  ),
  ...[0, 0.6].map((beside) => ['Easter', beforeEaster, 12, beside] as (typeof KINDS)[number]),
]

/** When what is sold on a day is booked. */
const BOOKED: Record<string, (day: number) => number> = {
  day: (day) => day,
  week: (day) => day + (6 - ((((day + 3) % 7) + 7) % 7)),
  month: (day) => {
    const [year, month] = toDate(day).split('-').map(Number) as [number, number]
    return Date.UTC(year, month, 0) / 864e5
  },
}

const END = ORIGINS.at(-1)! + 90
const demandOf = (seed: number, mean: (day: number) => number) => {
  const random = randomOf(seed)
  return Array.from({ length: END - FIRST }, (_, i) => poisson(mean(FIRST + i), random))
}

/** What is known of it on a day. */
function knownOf(
  demand: readonly number[],
  booked: (day: number) => number,
  asOf: number,
): DemandHistory {
  const byDay = new Map<number, number>()
  demand.forEach((units, i) => {
    const day = booked(FIRST + i)
    if (units > 0 && day < asOf) byDay.set(day, (byDay.get(day) ?? 0) + units)
  })
  return { days: Int32Array.from(byDay.keys()), quantities: Float64Array.from(byDay.values()) }
}

const others = Array.from({ length: OTHERS }, (_, i) => demandOf(100 + i, () => 2 + (i % 7)))
const articles = KINDS.map(([, season, units, beside], kind) =>
  Array.from({ length: SKUS }, (_, i) =>
    demandOf(1000 + 10 * kind + i, (day) => (season(day) ? units : beside)),
  ),
)

for (const [every, booked] of Object.entries(BOOKED)) {
  const errors = KINDS.map(() => HORIZONS.map(() => ({ off: 0, came: 0, within: 0, cases: 0 })))
  for (const asOf of ORIGINS) {
    const known = (demand: number[]) => knownOf(demand, booked, asOf)
    const own = articles.map((skus) => skus.map(known))
    const all = [...others.map(known), ...own.flat()]
    const context = contextsOf(
      all.map((history) => ({ location: 'L', history })),
      asOf,
    ).get('L')!
    own.forEach((skus, kind) =>
      skus.forEach((history, sku) => {
        const model = forecastPair(history, asOf, context)
        HORIZONS.forEach((horizon, h) => {
          const from = asOf - FIRST
          const came = articles[kind]![sku]!.slice(from, from + horizon).reduce((a, b) => a + b, 0)
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
  KINDS.forEach(([name, , units, beside], kind) => {
    const cells = errors[kind]!.map(({ off, came }) => `${Math.round((100 * off) / came)} %`)
    const held = errors[kind]!.map(({ within, cases }) => `${Math.round((100 * within) / cases)} %`)
    console.log(
      `| ${[`${name}, ${units} a day, ${beside} beside it`, every, ...cells, ...held].join(' | ')} |`,
    )
  })
}
