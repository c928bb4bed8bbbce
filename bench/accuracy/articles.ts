// node bench/accuracy/articles.ts: what sells for the most part in one season of the year, forecast throughout the third year.
import { type DemandHistory, toDate, toEpochDay } from '../../engine/index.ts'
import { type Demand, makeDemand, tellYear } from './made-up-year.ts'

const FIRST = toEpochDay('2023-01-01')
const ORIGINS = Array.from({ length: 24 }, (_, i) => toEpochDay('2025-10-01') + 15 * i)
const HORIZONS = [28, 90]
const SKUS = 3
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

const DAYS = ORIGINS.at(-1)! + 90 - FIRST

/** What is known of it on a day. */
function knownOf(demand: Demand, booked: (day: number) => number, asOf: number): DemandHistory {
  const byDay = new Map<number, number>()
  demand.forEach((units, i) => {
    const day = booked(FIRST + i)
    if (units > 0 && day < asOf) byDay.set(day, (byDay.get(day) ?? 0) + units)
  })
  return { days: Int32Array.from(byDay.keys()), quantities: Float64Array.from(byDay.values()) }
}

const articles = KINDS.map(([, season, units, beside], kind) =>
  Array.from({ length: SKUS }, (_, i) =>
    makeDemand(1000 + 10 * kind + i, DAYS, (at) => (season(FIRST + at) ? units : beside)),
  ),
)

for (const [every, booked] of Object.entries(BOOKED)) {
  const known = (demand: Demand, asOf: number) => knownOf(demand, booked, asOf)
  const year = { first: FIRST, days: DAYS, origins: ORIGINS, horizons: HORIZONS, known }
  const cells = tellYear({ ...year, kinds: articles })
  KINDS.forEach(([name, , units, beside], kind) =>
    console.log(
      `| ${[`${name}, ${units} a day, ${beside} beside it`, every, ...cells[kind]!].join(' | ')} |`,
    ),
  )
}
