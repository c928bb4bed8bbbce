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
import { learnHorizon } from '../../../engine/forecast/calibration/calibrate.ts'
import { overDays, type Stretch } from '../../../engine/forecast/booked.ts'
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

/** All of a week on its Sunday. */
function byWeek({ days, quantities }: DemandHistory): DemandHistory {
  const weeks = new Map<number, number>()
  days.forEach((day, i) => {
    const end = day + ((3 - (day % 7) + 7) % 7)
    weeks.set(end, (weeks.get(end) ?? 0) + quantities[i]!)
  })
  const known = [...weeks].filter(([day]) => day < AS_OF)
  return {
    days: Int32Array.from(known, ([day]) => day),
    quantities: Float64Array.from(known, ([, units]) => units),
  }
}

describe('what trees learn from weeks', () => {
  const weekly = of(
    'DEPOT',
    Array.from({ length: 24 }, (_, i) => byWeek(sellsDaily(i + 1))),
  )
  const [context] = contextsOf(weekly, AS_OF).values()
  const sample = weekly.map(({ history }) => ({ history, context: context! }))

  it.each([
    { horizon: 28, between: 14 / 28, half: 6 },
    { horizon: 90, between: 14 / 91, half: 168 / 90 },
  ])('counts half at six times of $horizon days, or at 168 days', ({ horizon, between, half }) => {
    const { boosted } = learnHorizon(sample, AS_OF, horizon).booked!.week!
    const evidence = boosted!.windows * between
    const times = evidence / weekly.length
    const share = (evidence / (evidence + 400)) * (times / (times + half))
    expect(boosted!.share).toBeCloseTo(share, 2)
  })
})

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

describe('a part of a month', () => {
  const MONTH = 365.25 / 12
  /** Months of 100 units whose days are independent, or all alike, and their ranges stretched as is said. */
  const parts = (isAlike: boolean, stretch: Stretch = () => [1, 1], deviation = 60) => {
    const stepCounts = [1, 2, 3]
    const quantiles = stepCounts.flatMap((steps) => {
      const range = 1.2 * deviation * (isAlike ? steps : Math.sqrt(steps))
      const [below, above] = stretch(steps)
      return [100 * steps - below * range, 100 * steps, 100 * steps + above * range]
    })
    const knots = { stepCounts, quantiles: Float64Array.from(quantiles), counts: null }
    const told = overDays({ ...knots, p75: null, tail: null }, MONTH, stretch)
    const at = (days: number) => {
      const i = told.stepCounts.indexOf(days)
      return [...told.quantiles.subarray(3 * i, 3 * i + 3)] as [number, number, number]
    }
    return { ...told, at }
  }

  it('has its share where days are alike, and a wider range and a lower middle where they are not', () => {
    const [alike, apart] = [parts(true).at(7), parts(false).at(7)]
    const share = 7 / MONTH
    ;[28, 100, 172].forEach((units, i) => expect(alike[i]! / share).toBeCloseTo(units, 5))
    expect(apart[0]).toBeLessThan(0.5 * alike[0])
    expect(apart[1]).toBeLessThan(alike[1])
    expect(apart[2]).toBeGreaterThan(alike[2])
    // The steadier, the nearer to its share.
    expect(parts(false, undefined, 5).at(7)[1] / share).toBeCloseTo(100, 0)
  })

  it('is stretched as its days are, and what months are stretched by says nothing of how alike days are', () => {
    const stretch: Stretch = (steps) => [1 + steps / 30, 1 + steps / 6]
    const [bare, stretched] = [parts(false), parts(false, stretch)]
    for (const days of [1, 3, 7, 14]) {
      const [below, above] = stretch(days / MONTH)
      const [p10, p50, p90] = bare.at(days)
      const at = stretched.at(days)
      expect(at[0]).toBeCloseTo(Math.max(0, p50 - below * (p50 - p10)), 5)
      expect(at[1]).toBeCloseTo(p50, 5)
      expect(at[2]).toBeCloseTo(p50 + above * (p90 - p50), 5)
    }
  })

  it('never has more than a longer one', () => {
    for (const isAlike of [true, false])
      for (const deviation of [5, 60, 83, 200])
        for (const by of [0, 0.3, 1]) {
          const { quantiles } = parts(
            isAlike,
            (steps) => [1 + by * steps, 1 + by * steps],
            deviation,
          )
          for (let i = 3; i < quantiles.length - 6; i++)
            expect(quantiles[i]).toBeGreaterThanOrEqual(quantiles[i - 3]!)
        }
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
