import { type Distribution, quantileOf } from '../../../engine/forecast/distribution.ts'
import { type DemandForecast, shownQuantiles } from '../../../engine/inventory/demand.ts'
import { demandByWeek } from '../../../engine/inventory/week-demand.ts'

/** A promotion every other month: the median of a month has none of it, that of three months has. */
const promoted: Distribution[] = [
  ...[1, 2, 3, 4].map((week) => ({ p10: 10 * week, p50: 15 * week, p90: 40 * week, tail: 1.2 })),
  ...[5, 6, 7, 8].map((week) => ({
    p10: 60,
    p50: 60 + 37 * (week - 4),
    p90: 60 * week,
    tail: 1.2,
  })),
]

const forecastOf = (
  distribution: DemandForecast['distribution'],
  more: Partial<DemandForecast> = {},
): DemandForecast => ({
  at: (days) => shownQuantiles(distribution(days)),
  distribution,
  ...more,
})

const byWeek = (days: number) => promoted[Math.ceil(days / 7) - 1]!

it('gives each week its own median and range, and not what medians of sums differ by', () => {
  const weeks = demandByWeek(forecastOf(byWeek), 8)
  for (const { p10, p50, p90 } of weeks) {
    expect([p10, p50, p90].map(Math.round)).toEqual([10, 15, 40])
  }
})

it('follows season and plans, and ends with a phase-out', () => {
  const pace = (days: number) => days + Math.max(0, days - 14)
  const twice = demandByWeek(forecastOf(byWeek, { pace }), 4).map(({ p50 }) => Math.round(p50))
  expect(twice).toEqual([15, 15, 30, 30])
  const ended = demandByWeek(forecastOf(byWeek, { until: 10 }), 3).map(({ p50 }) => p50)
  expect(ended[0]).toBeCloseTo(15)
  expect(ended[1]).toBeCloseTo((15 * 3) / 7)
  expect(ended[2]).toBe(0)
})

it('begins with the first week that has demand, and has nothing where there is none', () => {
  const pace = (days: number) => Math.max(0, days - 7)
  const weeks = demandByWeek(forecastOf(byWeek, { pace }), 3).map(({ p50 }) => Math.round(p50))
  expect(weeks).toEqual([0, 30, 30])
  const none = demandByWeek(forecastOf(byWeek, { pace: () => 0 }), 2)
  expect(none).toEqual(Array(2).fill({ p10: 0, p50: 0, p90: 0 }))
})

it('moves by what planners say', () => {
  const statistical = forecastOf((days) => ({ p10: days, p50: 2 * days, p90: 3 * days, tail: 1 }))
  const raised = (days: number): Distribution => {
    const more = Math.max(0, days - 7)
    return { p10: days + more, p50: 2 * days + more, p90: 3 * days + more, tail: 1 }
  }
  const weeks = demandByWeek(forecastOf(raised, { statistical }), 2)
  expect(weeks.map(({ p50 }) => Math.round(p50))).toEqual([14, 21])
  expect(weeks[1]!.p90).toBeCloseTo(31.5)
})

it('shows of rare demand the count by which is decided', () => {
  const counts = { mean: 3.9, dispersion: 1, pack: 1, weight: 1 }
  const rare: Distribution = { p10: 1, p50: 3, p90: 6, tail: 1.2, counts }
  expect(shownQuantiles(rare).p50).toBe(quantileOf(rare, 0.5))
  expect(shownQuantiles(rare)).toEqual({ p10: 2, p50: 4, p90: 7 })
  expect(
    demandByWeek(
      forecastOf(() => rare),
      2,
    ),
  ).toEqual(Array(2).fill({ p10: 2, p50: 4, p90: 7 }))
})
