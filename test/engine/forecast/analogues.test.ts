// SKUs that were new once tell how a new one sells at first, as far as their own past shows that this helps.
import {
  calibrate,
  contextsOf,
  LEARNT_HORIZONS,
  type DemandHistory,
  forecastPair,
  predictDemand,
  toEpochDay,
} from '../../../engine/index.ts'
import { moveLaunched, moveToAnalogues } from '../../../engine/forecast/analogues.ts'
import { daily, noise, until } from './demand.ts'

const AS_OF = toEpochDay('2026-11-20')
const LAUNCHES = 80

type Shape = (age: number) => number
const flat: Shape = () => 1
/** Three times as much at first. */
const hype: Shape = (age) => 1 + 2 * Math.exp(-age / 20)

const series = (seed: number, length: number, shape: Shape): DemandHistory => {
  const random = noise(seed)
  const level = 2 * 20 ** random()
  return until(
    AS_OF,
    daily(length, (age) => Math.round(level * shape(age) * (0.5 + random()))),
  )
}

function tenantOf(shape: Shape): DemandHistory[] {
  const old = Array.from({ length: 20 }, (_, i) => series(i + 1, 700, flat))
  return [
    ...old,
    ...Array.from({ length: LAUNCHES }, (_, i) => series(100 + i, 120 + 5 * i, shape)),
  ]
}

const contextOf = (tenant: readonly DemandHistory[]) =>
  contextsOf(
    tenant.map((history) => ({ location: '', history })),
    AS_OF,
  ).get('')!

const young = (shape: Shape) => Array.from({ length: 40 }, (_, i) => series(900 + i, 16, shape))

/** What would be sold of it in the next 90 days, noise left aside. */
function coming(history: DemandHistory, shape: Shape): number {
  const sold = history.quantities.reduce((sum, units) => sum + units, 0)
  const sum = (from: number, to: number) =>
    daily(to - from, (day) => shape(from + day)).reduce((total, each) => total + each, 0)
  return (sold / sum(0, 16)) * sum(16, 106)
}

const totals = (tenant: readonly DemandHistory[], shape: Shape, isLearnt = true) => {
  const { launches, ...context } = contextOf(tenant)
  const known = isLearnt ? { ...context, launches } : context
  let [said, came] = [0, 0]
  for (const history of young(shape)) {
    said += predictDemand(forecastPair(history, AS_OF, known), 90).p50
    came += coming(history, shape)
  }
  return said / came
}

describe('the launches of a location', () => {
  const tenant = tenantOf(hype)

  it('tell that a new SKU sells less after its first weeks', () => {
    expect(totals(tenant, hype, false)).toBeGreaterThan(1.4)
    expect(Math.abs(totals(tenant, hype) - 1)).toBeLessThan(0.15)
  })

  it('move nothing where SKUs sell from the first day on as they will', () => {
    expect(Math.abs(totals(tenantOf(flat), flat) - 1)).toBeLessThan(0.1)
  })

  it('count in no order, and not beyond the day of the forecast', () => {
    const later = tenant.map(({ days, quantities }) => ({
      days: Int32Array.from([...days, AS_OF, AS_OF + 3]),
      quantities: Float64Array.from([...quantities, 999, 999]),
    }))
    expect(contextOf(later.toReversed())).toEqual(contextOf(tenant))
  })

  it('say nothing where there are few', () => {
    expect(contextOf(tenant.slice(0, 39)).launches).toBeUndefined()
    expect(contextOf(tenant.slice(0, 20)).launches).toBeUndefined()
  })

  it('leave SKUs of four weeks alone, unless forecasts of such were learnt from', () => {
    const [history] = [series(7, 28, hype)]
    const { launches, ...context } = contextOf(tenant)
    expect(launches).toHaveLength(6)
    expect(forecastPair(history, AS_OF, { ...context, launches })).toEqual(
      forecastPair(history, AS_OF, context),
    )
  })

  it('keep P10, P50 and P90 in order for every horizon', () => {
    const rules = contextOf(tenant).launches!
    for (let horizon = 1; horizon <= 90; horizon++) {
      const quantiles = Float64Array.of(3, 9, 30)
      moveToAnalogues(rules, 9, horizon, quantiles, 0)
      const [p10, p50, p90] = quantiles as unknown as [number, number, number]
      expect(p10 >= 0 && p10 <= p50 && p50 <= p90).toBe(true)
    }
  })
})

describe('the launches of a tenant', () => {
  const calibrationOf = (tenant: readonly DemandHistory[]) => {
    const context = contextOf(tenant)
    return calibrate(
      tenant.map((history) => ({ history, context })),
      AS_OF,
    )!
  }
  const tenantFor = (shape: Shape) => tenantOf(shape).filter((_, i) => i < 20 || i % 2)
  const tenant = tenantFor(hype)
  const calibration = calibrationOf(tenant)

  const withoutLaunches = {
    ...calibration,
    buckets: calibration.buckets.map(({ launched, ...bucket }) => bucket),
  }

  const known = contextOf(tenant)
  const over90 = (age: number, learnt: typeof calibration) => {
    let [said, came] = [0, 0]
    for (let i = 0; i < 30; i++) {
      const history = series(900 + i, age, hype)
      const sold = history.quantities.reduce((sum, units) => sum + units, 0)
      const sum = (from: number, to: number) =>
        daily(to - from, (day) => hype(from + day)).reduce((total, each) => total + each, 0)
      said += predictDemand(forecastPair(history, AS_OF, known, learnt), 90).p50
      came += (sold / sum(0, age)) * sum(age, age + 90)
    }
    return said / came
  }

  it('tell that SKUs of four to eight weeks sell less by and by', () => {
    for (const age of [30, 40]) {
      expect(over90(age, withoutLaunches)).toBeGreaterThan(1.25)
      expect(Math.abs(over90(age, calibration) - 1)).toBeLessThan(0.17)
    }
  })

  it('say nothing of SKUs that are older than they were looked at', () => {
    const history = series(7, 126, hype)
    expect(forecastPair(history, AS_OF, known, calibration)).toEqual(
      forecastPair(history, AS_OF, known, withoutLaunches),
    )
  })

  it('say nothing of SKUs that the location began with', () => {
    const history = series(7, 40, hype)
    const began = { ...known, knownFrom: history.days[0]! - 55 }
    expect(forecastPair(history, AS_OF, began, calibration)).toEqual(
      forecastPair(history, AS_OF, began, withoutLaunches),
    )
  })

  it('are left out where there are few of them', () => {
    const { buckets } = calibrationOf(tenant.slice(0, 39))
    expect(buckets.some(({ launched }) => launched)).toBe(false)
  })

  it('go over from one age to the next, in order', () => {
    const rules = calibration.buckets.flatMap(({ launched }) => launched!)
    expect(rules).toHaveLength(3 * LEARNT_HORIZONS.length)
    let before = 0
    for (let age = 28; age <= 126; age++) {
      const quantiles = Float64Array.of(300, 400, 520)
      moveLaunched(rules, age, 90, quantiles, 0)
      const [p10, p50, p90] = quantiles as unknown as [number, number, number]
      expect(p10 >= 0 && p10 <= p50 && p50 <= p90).toBe(true)
      if (before) expect(Math.abs(p50 / before - 1)).toBeLessThan(0.03)
      before = p50
    }
    expect(before).toBe(400)
  })
})
