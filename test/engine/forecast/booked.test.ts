import {
  backtestPair,
  bookingDay,
  calibrate,
  contextsOf,
  type DemandHistory,
  emptyBacktestScores,
  spreadBookings,
  sumComparisons,
  toDate,
  toEpochDay,
} from '../../../engine/index.ts'
import { daily, noise, until } from './demand.ts'

const AS_OF = toEpochDay('2026-11-20')
const MONTH_END = { every: 'month', on: 31 } as const
const horizons = [7, 28]

const sellsDaily = (seed: number): DemandHistory => {
  const random = noise(seed)
  return until(
    AS_OF,
    daily(1200, () => Math.floor(6 * random())),
  )
}

/** All of a month on its last day. */
function byMonth({ days, quantities }: DemandHistory): DemandHistory {
  const months = new Map<number, number>()
  days.forEach((day, i) => {
    const [year, month] = toDate(day).split('-').map(Number) as [number, number]
    const end = Date.UTC(year, month, 0) / 86_400_000
    months.set(end, (months.get(end) ?? 0) + quantities[i]!)
  })
  const known = [...months].filter(([day]) => day < AS_OF)
  return {
    days: Int32Array.from(known, ([day]) => day),
    quantities: Float64Array.from(known, ([, units]) => units),
  }
}

const SHOPS = Array.from({ length: 12 }, (_, i) => sellsDaily(i + 1))
const DEPOT = SHOPS.map(byMonth)
const of = (location: string, histories: DemandHistory[]) =>
  histories.map((history) => ({ location, history }))
/** Locations that know nothing of each other's season. */
const learn = (...locations: { location: string; history: DemandHistory }[][]) =>
  calibrate(
    locations.flatMap((series) => {
      const [context] = contextsOf(series, AS_OF).values()
      return series.map(({ history }) => ({ history, context: context! }))
    }),
    AS_OF,
  )

describe('what is booked by month', () => {
  it('learns from its like, and leaves what is sold by day as it is', () => {
    const { booked, ...days } = learn(of('SHOP', SHOPS), of('DEPOT', DEPOT))!
    expect(days).toEqual(learn(of('SHOP', SHOPS)))
    expect(Object.keys(booked!)).toEqual(['month'])
    expect(booked).toEqual(learn(of('DEPOT', DEPOT))!.booked)
  })

  it('is scored by its part of each booking', () => {
    const origin = toEpochDay('2026-07-10')
    const scores = emptyBacktestScores(horizons)
    const context = contextsOf(of('DEPOT', DEPOT), origin).get('DEPOT')!
    for (const history of DEPOT) backtestPair(history, origin, { context }, horizons, scores)
    const { restock, seasonalNaive } = sumComparisons(Object.values(scores), horizons)
    for (const { cases, demand, median } of [...restock, ...seasonalNaive]) {
      expect(cases).toBe(DEPOT.length)
      expect(median / demand).toBeCloseTo(1, 0)
    }
    expect(restock[0]!.demand / restock[1]!.demand).toBeCloseTo(0.25, 1)
    const inJuly = DEPOT.map(({ days, quantities }) => quantities[days.indexOf(origin + 21)]!)
    const july = inJuly.reduce((sum, units) => sum + units, 0)
    expect(restock[0]!.demand).toBeCloseTo((7 / 31) * july, 1)
  })

  it('is the same in sum when it is told by day', () => {
    const history = {
      days: Int32Array.of(toEpochDay('2026-08-31'), toEpochDay('2026-10-02')),
      quantities: Float64Array.of(62, 30),
    }
    const { days, quantities, end } = spreadBookings(history, MONTH_END)
    expect(quantities.reduce((sum, units) => sum + units, 0)).toBeCloseTo(92)
    expect(quantities[0]).toBe(2)
    // The second one is late, and stands for September.
    expect([toDate(days[0]!), toDate(days[31]!), toDate(end)]).toEqual([
      '2026-08-01',
      '2026-09-01',
      '2026-10-01',
    ])
  })
})

describe('the day of a forecast', () => {
  const end = toEpochDay('2026-11-01')
  const at = (today: string, contexts = [{ posting: MONTH_END }]) =>
    toDate(bookingDay(contexts, end, toEpochDay(today)))

  it('is today where all is booked by month, until the next booking is overdue', () => {
    expect(at('2026-11-20')).toBe('2026-11-20')
    expect(at('2026-12-02')).toBe('2026-12-02')
    expect(at('2027-03-01')).toBe('2026-12-04')
  })

  it('is the day after the last row where some of it is sold by day', () => {
    expect(toDate(bookingDay([{ posting: MONTH_END }, { posting: null }], end, end + 9))).toBe(
      '2026-11-01',
    )
    expect(toDate(bookingDay([], end, end + 9))).toBe('2026-11-01')
  })
})
