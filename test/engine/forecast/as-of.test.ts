// What lies on or after the as-of date is read by nothing: no context, nothing that is learnt, no forecast.
import fc, { setRuns } from '../../support/properties.ts'
import {
  calibrate,
  calibrationSample,
  contextsOf,
  type DemandHistory,
  forecastPair,
  toEpochDay,
} from '../../../engine/index.ts'
import { daily, noise, until } from './demand.ts'

setRuns(100)

const AS_OF = toEpochDay('2026-11-20')

interface Row {
  day: number
  quantity: number
  promo: boolean
}

const rows = (from: number, to: number, maxLength: number): fc.Arbitrary<Row[]> =>
  fc.array(
    fc.record({
      day: fc.integer({ min: from, max: to }),
      quantity: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.constantFrom(NaN, Infinity, 1e12)),
      promo: fc.boolean(),
    }),
    { maxLength },
  )

const historyOf = (all: Row[]): DemandHistory => {
  const sorted = all.toSorted((a, b) => a.day - b.day)
  return {
    days: Int32Array.from(sorted, ({ day }) => day),
    quantities: Float64Array.from(sorted, ({ quantity }) => quantity),
    promo: Uint8Array.from(sorted, ({ promo }) => Number(promo)),
  }
}

/** Everything that is made of some histories of one location. */
function allOf(histories: DemandHistory[]) {
  const context = contextsOf(
    histories.map((history) => ({ location: '', history })),
    AS_OF,
  ).get('')!
  const sample = calibrationSample(histories, (history) => history, AS_OF)
  const calibration = calibrate(
    sample.map((history) => ({ history, context })),
    AS_OF,
  )
  const models = histories.map((history) => forecastPair(history, AS_OF, context, calibration))
  return { context, calibration, models }
}

describe('rows on or after the as-of date', () => {
  it('change no forecast of any rows, nor what is known of their location', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(rows(AS_OF - 900, AS_OF - 1, 60), rows(AS_OF, AS_OF + 400, 60)), {
          minLength: 1,
          maxLength: 4,
        }),
        (pairs) => {
          const past = pairs.map(([before]) => historyOf(before))
          const all = pairs.map(([before, after]) => historyOf([...before, ...after]))
          expect(allOf(all)).toEqual(allOf(past))
        },
      ),
    )
  })

  it('change nothing that is learnt', () => {
    const random = noise(7)
    const past = Array.from({ length: 25 }, () =>
      until(
        AS_OF,
        daily(700, (day) => Math.floor(random() * (5 + (day % 7)))),
      ),
    )
    const expected = allOf(past)
    expect(expected.calibration!.boosting!.horizons).not.toHaveLength(0)
    fc.assert(
      fc.property(rows(AS_OF, AS_OF + 400, 60), (after) => {
        const more = historyOf(after)
        const all = past.map(({ days, quantities }) => ({
          days: Int32Array.from([...days, ...more.days]),
          quantities: Float64Array.from([...quantities, ...more.quantities]),
        }))
        expect(allOf(all)).toEqual(expected)
      }),
      { numRuns: 3 },
    )
  })
})
