import fc from '../../support/properties.ts'
import {
  predictDemand,
  type DemandHistory,
  EMPTY_CONTEXT,
  forecastPair,
  locationContext,
  toEpochDay,
} from '../../../engine/index.ts'
import { forecasterConformance } from '../../conformance/forecaster.ts'
import { daily, noise, until } from './demand.ts'

const AS_OF = toEpochDay('2026-11-20')
const PRIOR = { shape: 0.5, rate: 0.25 }

forecasterConformance({
  name: 'the engine',
  rounded: true,
  forecast: (history, asOf, horizons) =>
    horizons.map((horizon) => {
      const { p10, p50, p90 } = predictDemand(forecastPair(history, asOf, EMPTY_CONTEXT), horizon)
      return [p10, p50, p90]
    }),
})

const rubbish = fc.oneof(
  fc.integer({ min: 0, max: 20 }),
  fc.double({ noDefaultInfinity: false }),
  fc.constantFrom(NaN, Infinity, -Infinity, -5, 1e12, 1e300, 5e-324, 0.1, 1.25),
)
const anyHistory: fc.Arbitrary<DemandHistory> = fc
  .array(fc.tuple(fc.integer({ min: AS_OF - 7400, max: AS_OF + 60 }), rubbish), { maxLength: 120 })
  .map((rows) => ({
    days: Int32Array.from(rows, ([day]) => day),
    quantities: Float64Array.from(rows, ([, quantity]) => quantity),
  }))

describe('a forecast of any rows', () => {
  it('is whole, in order, and does not fall with the horizon', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const model = forecastPair(history, AS_OF, { ...EMPTY_CONTEXT, prior: PRIOR })
        let before = { p10: 0, p50: 0, p90: 0 }
        for (let horizon = 1; horizon <= 90; horizon++) {
          const now = predictDemand(model, horizon)
          expect([now.p10, now.p50, now.p90].every(Number.isSafeInteger)).toBe(true)
          expect(0 <= now.p10 && now.p10 <= now.p50 && now.p50 <= now.p90).toBe(true)
          expect(before.p10 <= now.p10 && before.p50 <= now.p50 && before.p90 <= now.p90).toBe(true)
          before = now
        }
      }),
      { numRuns: 200 },
    )
  })

  it('survives JSON and is small', () => {
    fc.assert(
      fc.property(anyHistory, (history) => {
        const model = forecastPair(history, AS_OF, EMPTY_CONTEXT)
        const text = JSON.stringify(model)
        expect(text.length).toBeLessThan(4000)
        expect(predictDemand(JSON.parse(text) as typeof model, 28)).toEqual(
          predictDemand(model, 28),
        )
      }),
    )
  })

  it('does not depend on the order of the rows', () => {
    const random = noise(3)
    const history = until(
      AS_OF,
      daily(300, () => Math.floor(random() * 9)),
    )
    const reversed = {
      days: history.days.toReversed(),
      quantities: history.quantities.toReversed(),
    }
    expect(forecastPair(reversed, AS_OF, EMPTY_CONTEXT)).toEqual(
      forecastPair(history, AS_OF, EMPTY_CONTEXT),
    )
  })
})

describe('a dormant series', () => {
  const model = (silence: number) =>
    forecastPair(until(AS_OF - silence, [40, 60]), AS_OF, EMPTY_CONTEXT)

  it('has P10 and P50 zero, and a P90 that shrinks with the silence', () => {
    const year = predictDemand(model(365), 90)
    const decade = predictDemand(model(3650), 90)
    expect([year.p10, year.p50, decade.p90]).toEqual([0, 0, 0])
    expect(year.p90).toBe(2 * 50) // 3/365 a day: two sales of the usual size at most, nine times of ten
    expect(year.confidence).toBe('low')
    expect(year.drivers).toContain('no_recent_demand')
  })
})

describe('a young series', () => {
  const context = { ...EMPTY_CONTEXT, prior: { shape: 4, rate: 2 } }

  it('is forecast like its location until it has demand of its own', () => {
    const unseen = predictDemand(forecastPair(until(AS_OF, []), AS_OF, context), 28)
    expect(unseen.p50).toBeGreaterThan(28)
    expect(unseen.p50).toBeLessThan(2 * 28)
    const slow = predictDemand(
      forecastPair(
        until(
          AS_OF,
          daily(20, () => 0),
        ),
        AS_OF,
        context,
      ),
      28,
    )
    expect(slow.p50).toBeLessThan(0.3 * unseen.p50)
  })

  it('is moved by its own demand the more there is of it', () => {
    const p50 = (days: number) =>
      predictDemand(
        forecastPair(
          until(
            AS_OF,
            daily(days, () => 1),
          ),
          AS_OF,
          context,
        ),
        28,
      ).p50
    expect(p50(2)).toBeGreaterThan(p50(8))
    expect(p50(8)).toBeGreaterThan(p50(25))
    expect(p50(25)).toBeGreaterThanOrEqual(28)
  })

  it('has a forecast without a location too, with low confidence', () => {
    const { p50, p90, confidence, drivers } = predictDemand(
      forecastPair(until(AS_OF, [3]), AS_OF, EMPTY_CONTEXT),
      28,
    )
    expect(p50).toBeLessThan(3 * 28)
    expect(p90).toBeGreaterThan(0)
    expect(confidence).toBe('low')
    expect(drivers).toContain('short_history')
  })
})

describe('a location that books once a month', () => {
  const months = Int32Array.from(
    { length: 30 },
    (_, i) => Date.UTC(2024, 5 + i, 1) / 86_400_000,
  ).filter((day) => day < AS_OF)
  const sellingSkus = months.map(() => 50)
  const context = locationContext({ days: months, sellingSkus, rates: new Float64Array(0) })
  const history = { days: months, quantities: Float64Array.from(months, () => 20) }
  const at = (date: string, horizon: number) =>
    predictDemand(forecastPair(history, toEpochDay(date), context), horizon).p50

  it('sells every day, whenever it is asked', () => {
    expect(context.posting).toMatchObject({ every: 'month', on: 1 })
    for (const date of ['2026-11-01', '2026-11-02', '2026-11-20', '2026-12-01']) {
      expect(at(date, 15)).toBe(10)
      expect(at(date, 30)).toBe(20)
      expect(at(date, 90)).toBe(59)
    }
  })

  it('sells a part of what it sells in a month, by what months have in common', () => {
    const monthly = (vary: (month: number) => number) => ({
      days: months,
      quantities: Float64Array.from(months, (_, i) => 300 + vary(i)),
    })
    const over = (history: DemandHistory, horizon: number) =>
      predictDemand(forecastPair(history, AS_OF, context), horizon)
    const random = noise(1)
    const unsteady = monthly(() => Math.round(150 * (random() - 0.5)))
    const [week, month] = [over(unsteady, 7), over(unsteady, 30)]
    expect(week.p50 / month.p50).toBeCloseTo(7 / 30, 1)
    const width = ({ p10, p50, p90 }: typeof week) => (p90 - p10) / p50
    expect(width(week)).toBeGreaterThan(width(month))
    expect(width(week)).toBeLessThan(Math.sqrt(30 / 7) * width(month) * 1.1)
  })

  it('learns from weekdays where others of its location sell by day', () => {
    const weekdays = [0.5, 0.5, 2, 1, 1, 1, 1]
    const shares = { ...context, weekdays }
    const sold = [0, 1, 2, 3, 4, 5, 6].map(
      (i) => predictDemand(forecastPair(history, AS_OF + i, shares), 1).p50,
    )
    expect(Math.max(...sold)).toBe(sold[(((9 - (AS_OF % 7)) % 7) + 7) % 7])
  })

  it('answers where its last sale is not booked yet, after five years without', () => {
    const late = {
      days: Int32Array.of(AS_OF - 7400, AS_OF - 19),
      quantities: Float64Array.of(1, 1),
    }
    const end = { ...EMPTY_CONTEXT, posting: { every: 'month', on: 31 } as const }
    const { p90, confidence } = predictDemand(forecastPair(late, AS_OF, end), 90)
    expect(Number.isSafeInteger(p90)).toBe(true)
    expect(confidence).toBe('low')
  })

  it('is whole, in order, and does not fall with the horizon, for any rows', () => {
    for (const posting of [
      { every: 'month', on: 31 },
      { every: 'week', on: 3 },
    ] as const)
      fc.assert(
        fc.property(anyHistory, (history) => {
          const model = forecastPair(history, AS_OF, { ...EMPTY_CONTEXT, posting })
          let before = [0, 0, 0]
          for (let horizon = 1; horizon <= 90; horizon++) {
            const { p10, p50, p90 } = predictDemand(model, horizon)
            expect([p10, p50, p90].every(Number.isSafeInteger)).toBe(true)
            expect(p10 <= p50 && p50 <= p90).toBe(true)
            ;[p10, p50, p90].forEach((value, i) => expect(value).toBeGreaterThanOrEqual(before[i]!))
            before = [p10, p50, p90]
          }
        }),
      )
  })
})

describe('a location whose rows end before the as-of date', () => {
  /** Days that are the as-of date's weekday sell threefold. */
  const endingAt = (end: number) =>
    until(
      end,
      daily(365, (day) => ((AS_OF - (end - 365 + day)) % 7 === 0 ? 30 : 10)),
    )
  const context = (knownUntil: number) => ({ ...EMPTY_CONTEXT, knownUntil })

  it.each([0, 3, 200])('is forecast from its last day on, %s days earlier', (lag) => {
    const model = forecastPair(endingAt(AS_OF - lag), AS_OF, context(AS_OF - lag))
    expect(predictDemand(model, 28).p50).toBeCloseTo(4 * (30 + 6 * 10), -1)
    expect(predictDemand(model, 28).drivers).not.toContain('no_recent_demand')
    expect(predictDemand(model, 1).p50).toBeGreaterThan(20)
  })
})
