// Books by fiscal periods, every second week and quarters: what a booking stands for is told from the one before.
import {
  contextsOf,
  type DemandHistory,
  describeBookings,
  forecastPair,
  predictDemand,
  toEpochDay,
} from '../../../engine/index.ts'
import { noise } from '../forecast/demand.ts'

/** A Sunday. */
const AS_OF = toEpochDay('2026-11-01')

/** About 100 a week, booked on the last Saturday of each period. */
function booked(weeks: number[], count: number, seed: number): DemandHistory {
  const random = noise(seed)
  const rows: [number, number][] = []
  let day = AS_OF - 1
  for (let i = 0; i < count; i++) {
    const length = weeks[i % weeks.length]!
    rows.unshift([day, Math.round(100 * length * (0.93 + 0.14 * random()))])
    day -= 7 * length
  }
  return {
    days: Int32Array.from(rows, ([each]) => each),
    quantities: Float64Array.from(rows, ([, units]) => units),
  }
}

describe.each([
  ['every 4 to 5 weeks', [4, 4, 5], 36],
  ['every 4 weeks', [4], 39],
  ['every 2 weeks', [2], 78],
  ['every 13 weeks', [13], 12],
] as const)('what is booked %s', (rhythm, weeks, count) => {
  const series = [1, 2, 3].map((seed) => booked([...weeks], count, seed))
  const contexts = contextsOf(
    series.map((history) => ({ location: 'L', history })),
    AS_OF,
  )
  const p50 = (horizon: number, asOf = AS_OF) =>
    series.map((each) => predictDemand(forecastPair(each, asOf, contexts.get('L')!), horizon).p50)

  it('is forecast by the week', () => {
    for (const horizon of [7, 28, 90])
      for (const units of p50(horizon)) {
        expect(units).toBeGreaterThan(0.8 * horizon * (100 / 7))
        expect(units).toBeLessThan(1.2 * horizon * (100 / 7))
      }
  })

  it('has no weeks without demand before its next booking', () => {
    for (const units of p50(28, AS_OF + 7 * (weeks[0] - 1))) expect(units).toBeGreaterThan(320)
  })

  it('is said', () => {
    expect(describeBookings([...contexts])).toEqual([
      { every: 'week', text: `Demand is booked ${rhythm}: on Saturday at L.` },
    ])
  })
})

it('weeks of which some have no booking are weeks', () => {
  const weeks = [1, 1, 2, 1, 1, 3]
  const [context] = contextsOf([{ location: 'L', history: booked(weeks, 60, 1) }], AS_OF).values()
  expect(context!.posting).toMatchObject({ every: 'week' })
  expect(context!.posting).not.toHaveProperty('weeks')
})
