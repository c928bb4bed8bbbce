// Tenants whose future is known because they are made up: groups with seasons of their own, launches.
import type { DemandHistory, EpochDay } from '../../engine/index.ts'
import { toEpochDay } from '../../engine/index.ts'
import { poisson, randomOf } from './synthetic.ts'

/** The day that is forecast from; demand goes on behind it. */
export const ORIGIN: EpochDay = toEpochDay('2026-08-01')
const AFTER = 90
const YEAR = 365.25

export interface MadeUp {
  sku: string
  location: string
  group: string
  /** The day of its first sale. */
  from: EpochDay
  history: DemandHistory
}

/** Demand of a day over its level. */
type Shape = (day: EpochDay, age: number) => number

export interface Kind {
  group: string
  location: string
  count: number
  /** Days before the origin on which a SKU begins, by a random number. */
  begins(random: number): number
  shape: Shape
  /** Mean demand a day: this times something between 1 and 20. */
  level: number
}

/** Each level drifts, sells more at weekends and is Poisson. */
export function makeTenant(kinds: readonly Kind[], seed: number): MadeUp[] {
  return kinds.flatMap((kind, k) =>
    Array.from({ length: kind.count }, (_, i) =>
      makeSeries(kind, `${k}-${i}`, seed * 10_000 + k * 1000 + i),
    ),
  )
}

function makeSeries(
  { group, location, begins, shape, level }: Kind,
  sku: string,
  seed: number,
): MadeUp {
  const random = randomOf(seed)
  const from = ORIGIN - Math.max(1, Math.round(begins(random())))
  const mean = level * 20 ** random()
  const weekend = 1 + random()
  const [days, quantities]: [number[], number[]] = [[], []]
  let drift = 0
  for (let day = from; day < ORIGIN + AFTER; day++) {
    drift += 0.01 * (random() + random() - 1)
    const expected = mean * Math.exp(drift) * shape(day, day - from) * (day % 7 > 4 ? weekend : 1)
    const units = poisson(expected, random)
    if (!units) continue
    days.push(day)
    quantities.push(units)
  }
  const history = { days: Int32Array.from(days), quantities: Float64Array.from(quantities) }
  return { sku, location, group, from: days[0] ?? ORIGIN + AFTER, history }
}

/** A season that is highest so many days after a year's beginning. */
export const season =
  (height: number, peak: number): Shape =>
  (day) =>
    1 + height * Math.cos((2 * Math.PI * (day - peak)) / YEAR)

/** From a share of the usual demand on the first day to all of it, most of the way within so many days. */
export const launch =
  (share: number, within: number): Shape =>
  (_, age) =>
    1 + (share - 1) * Math.exp((-2 * age) / within)

export const FLAT: Shape = () => 1
