// SKUs that were new once tell how a new one sells at first, as far as their own past shows that this helps.
import {
  contextsOf,
  type DemandHistory,
  forecastPair,
  predictDemand,
  toEpochDay,
} from '../../../engine/index.ts'
import { moveToAnalogues } from '../../../engine/forecast/analogues.ts'
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

  it('leave SKUs of four weeks alone', () => {
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
