// A season that a location's SKUs share is found, and told; growth and noise are none.
import {
  predictDemand,
  calibrate,
  type Calibration,
  contextsOf,
  type DemandHistory,
  splitByDriver,
  forecastPair,
  type LocationContext,
  toEpochDay,
} from '../../../engine/index.ts'
import { activityChange, seasonIndex } from '../../../engine/forecast/yearly.ts'
import { daily, noise, until } from './demand.ts'

const AS_OF = toEpochDay('2026-11-20')
const DAYS = 1000
const SERIES = 40

type Mean = (day: number) => number
/** Half as much again at the peak, which is three months after the as-of date. */
const season: Mean = (day) => 20 * (1 + 0.5 * Math.cos((2 * Math.PI * (day - DAYS - 91)) / 365))
const growth: Mean = (day) => 10 + (20 * day) / DAYS

function tenantOf(mean: Mean): DemandHistory[] {
  return Array.from({ length: SERIES }, (_, seed) => {
    const random = noise(seed + 1)
    return until(
      AS_OF,
      daily(DAYS, (day) => Math.round(mean(day) * (0.5 + random()))),
    )
  })
}

const contextOf = (tenant: DemandHistory[]): LocationContext =>
  contextsOf(
    tenant.map((history) => ({ location: '', history })),
    AS_OF,
  ).get('')!

function total(mean: Mean, horizon: number): number {
  let demand = 0
  for (let day = DAYS; day < DAYS + horizon; day++) demand += mean(day)
  return demand
}

describe('the season of a location', () => {
  const seasonal = tenantOf(season)
  const context = contextOf(seasonal)
  const share = (known: LocationContext, horizon: number, calibration?: Calibration | null) => {
    const p50 = seasonal.reduce(
      (sum, history) =>
        sum + predictDemand(forecastPair(history, AS_OF, known, calibration), horizon).p50,
      0,
    )
    return p50 / SERIES / total(season, horizon)
  }

  let learnt: Calibration | null
  beforeAll(() => {
    learnt = calibrate(
      seasonal.map((history) => ({ history, context })),
      AS_OF,
    )
  })

  it.each([
    [28, 0.15],
    [90, 0.3],
  ])('comes back in a forecast of %d days', (horizon, tolerance) => {
    const off = (known: LocationContext) => Math.abs(share(known, horizon) - 1)
    expect(off(context)).toBeLessThan(tolerance)
    expect(off({ ...context, activity: null })).toBeGreaterThan(1.25 * off(context))
    expect(Math.abs(share(context, horizon, learnt) - 1)).toBeLessThan(0.1)
  })

  it('is named, with what it adds', () => {
    const model = forecastPair(seasonal[0]!, AS_OF, context)
    expect(predictDemand(model, 90).drivers).toContain('annual_seasonality')
    for (let horizon = 1; horizon <= 90; horizon++) {
      const amounts = splitByDriver(model, horizon)
      const { p50 } = predictDemand(model, horizon)
      expect(amounts.reduce((sum, { amount }) => sum + amount, 0)).toBe(p50)
      if (horizon < 28) continue
      const yearly = amounts.find(({ code }) => code === 'annual_seasonality')!
      expect(yearly.amount).toBeGreaterThan(0.1 * p50)
    }
  })

  it.each<[string, Mean]>([
    ['steady demand', () => 20],
    ['demand that grows threefold', growth],
  ])('is not found in %s', (_, mean) => {
    const tenant = tenantOf(mean)
    const steady = contextOf(tenant)
    for (const horizon of [7, 28, 90]) {
      const index = seasonIndex({ activity: steady.activity!, day: AS_OF }, AS_OF, horizon, 1)!
      for (const factor of index) expect(Math.abs(factor - 1)).toBeLessThan(0.05)
    }
    for (const history of tenant)
      expect(predictDemand(forecastPair(history, AS_OF, steady), 28).drivers).not.toContain(
        'annual_seasonality',
      )
  })

  it('is not read off the days to come, nor off less than 20 months', () => {
    const withMore = seasonal.map(({ days, quantities }) => ({
      days: Int32Array.from([...days, AS_OF, AS_OF + 30]),
      quantities: Float64Array.from([...quantities, 500, 500]),
    }))
    expect(contextOf(withMore)).toEqual(context)
    const short = contextOf(seasonal.map((history) => lastDays(history, 500)))
    expect(seasonIndex({ activity: short.activity!, day: AS_OF }, AS_OF, 28, 1)).toBeNull()
  })
})

describe('groups of a location with opposite seasons', () => {
  const turned: Mean = (day) => 20 * (1 + 0.5 * Math.cos((2 * Math.PI * (day - DAYS + 91)) / 365))
  const [rising, falling] = [tenantOf(season), tenantOf(turned)]
  const context = contextOf([...rising, ...falling])

  it.each([
    ['rises', rising, season],
    ['falls', falling, turned],
  ])('each follow their own where it %s', (_, tenant, mean) => {
    const off = (known: LocationContext) => {
      const sum = tenant
        .map((history) => predictDemand(forecastPair(history, AS_OF, known), 90).p50)
        .reduce((total, p50) => total + p50, 0)
      return Math.abs(sum / SERIES / total(mean, 90) - 1)
    }
    expect(off(context)).toBeLessThan(0.75 * off({ ...context, seasons: null }))
  })

  it('are not found where SKUs differ by chance', () => {
    expect(contextOf(tenantOf(() => 20)).seasons).toBeUndefined()
    expect(contextOf(tenantOf(growth)).seasons).toBeUndefined()
  })

  it('are found in any order of series, and by what was known alone', () => {
    const more = [...falling, ...rising].map(({ days, quantities }) => ({
      days: Int32Array.from([...days, AS_OF, AS_OF + 30]),
      quantities: Float64Array.from([...quantities, 500, 500]),
    }))
    expect(contextOf(more).seasons).toEqual(context.seasons)
    expect(contextOf(rising.map((history) => lastDays(history, 560))).seasons).toBeUndefined()
  })
})

describe('what goes on in a location of late', () => {
  const weeks: number[] = Array.from({ length: 30 }, (_, week) => (week < 26 ? 10 : 20))
  const from = AS_OF - 7 * weeks.length
  const year = { activity: { from, weeks }, day: AS_OF, end: AS_OF }

  it('is told against a quarter and half a year', () => {
    expect(activityChange(year, 28, 91)).toBeCloseTo(20 / ((4 * 20 + 9 * 10) / 13))
    expect(activityChange(year, 91, 182)).toBeCloseTo(
      (4 * 20 + 9 * 10) / 13 / ((4 * 20 + 22 * 10) / 26),
    )
    expect(activityChange({ ...year, end: AS_OF - 28 }, 28, 91)).toBe(1)
  })

  it('is no fall where rows are still to come', () => {
    const activity = { from, weeks: weeks.with(-1, 7) }
    expect(activityChange({ ...year, activity, end: AS_OF - 3 }, 28, 91)).toBeGreaterThan(1.4)
  })

  it('is not known where the past is too short, nor beyond what is known', () => {
    expect(activityChange({ ...year, end: AS_OF - 56 }, 91, 182)).toBeNaN()
    expect(activityChange({ ...year, end: AS_OF + 7 }, 28, 91)).toBeNaN()
  })
})

const lastDays = ({ days, quantities }: DemandHistory, count: number): DemandHistory => ({
  days: days.slice(-count),
  quantities: quantities.slice(-count),
})
