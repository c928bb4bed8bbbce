import { predictDemand, EMPTY_CONTEXT, forecastPair, toEpochDay } from '../../../engine/index.ts'
import { daily, noise, until } from './demand.ts'

const AS_OF = toEpochDay('2026-11-20')
const DAYS = 500

function driversOf(demand: (day: number, random: () => number) => number, seed = 5, length = DAYS) {
  const random = noise(seed)
  const history = until(
    AS_OF,
    daily(length, (day) => demand(day, random)),
  )
  return predictDemand(forecastPair(history, AS_OF, EMPTY_CONTEXT), 3).drivers
}
const around = (mean: number, random: () => number) => Math.round(mean * (0.5 + random()))

describe('drivers', () => {
  it('finds nothing but the level in steady demand', () => {
    for (let seed = 1; seed <= 20; seed++)
      expect(driversOf((_, random) => around(10, random), seed)).toEqual(['level'])
  })

  it.each([
    ['trend_up', (day: number) => 5 + (15 * day) / DAYS],
    ['trend_down', (day: number) => 20 - (15 * day) / DAYS],
    ['recent_spike', (day: number) => (day >= DAYS - 12 ? 40 : 10)],
    ['recent_drop', (day: number) => (day >= DAYS - 14 ? 0 : 30)],
  ])('finds a planted %s', (driver, mean) => {
    const drivers = driversOf((day, random) => around(mean(day), random))
    expect(drivers).toContain(driver)
    expect(drivers.filter((code) => /trend|recent_/.test(code))).toEqual([driver])
  })

  it('finds a weekday that sells more', () => {
    // The as-of date is a Friday; Fridays sell threefold.
    const friday = DAYS % 7
    const weekly = (day: number) => (day % 7 === friday ? 30 : 10)
    expect(driversOf((day, random) => around(weekly(day), random))).toContain('weekly_seasonality')
  })

  it('finds intermittent demand', () => {
    expect(driversOf((_, random) => (random() < 0.2 ? 3 : 0))).toContain('intermittent_demand')
  })

  it('finds a one-off bulk sale that was cut down', () => {
    const drivers = driversOf((day, random) => (day === 400 ? 2000 : around(10, random)))
    expect(drivers).toContain('outlier_removed')
  })

  it('finds a short history', () => {
    expect(driversOf((_, random) => around(10, random), 5, 100)).toContain('short_history')
  })

  it('finds that sales have ceased', () => {
    const drivers = driversOf((day, random) => (day < DAYS - 100 ? around(10, random) : 0))
    expect(drivers).toContain('no_recent_demand')
  })
})
