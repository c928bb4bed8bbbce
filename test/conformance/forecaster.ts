import fc from '../support/properties.ts'
import type { DemandHistory, EpochDay } from '../../engine/index.ts'

/** Whatever turns a history into quantiles of sums: a method, a mix, or the whole engine. */
export interface ForecasterSubject {
  name: string
  /** P10, P50, P90 of the demand over each horizon, one triple a horizon. */
  forecast(history: DemandHistory, asOf: EpochDay, horizons: number[]): number[][]
  /** Quantiles are whole numbers: then what is exact otherwise is so within a unit. */
  rounded?: boolean
  /** Cases that do not hold for it, with the reason. */
  skip?: Partial<Record<'scale' | 'constant', string>>
}

const HORIZONS = [1, 3, 7, 14, 28, 56, 90]
const AS_OF = 20_000

/** Demand day by day, the last one on the day before {@link AS_OF}. */
function historyOf(values: number[]): DemandHistory {
  return {
    days: Int32Array.from(values, (_, i) => AS_OF - values.length + i),
    quantities: Float64Array.from(values),
  }
}

const quantity = fc.oneof(
  { weight: 5, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 40 }) },
  { weight: 1, arbitrary: fc.integer({ min: 100, max: 5000 }) },
)
const demand = fc.array(quantity, { minLength: 1, maxLength: 400 })

/** The cases that every forecaster meets. */
export function forecasterConformance(subject: ForecasterSubject): void {
  const run = (values: number[]) => subject.forecast(historyOf(values), AS_OF, HORIZONS)
  const unless = (reason: string | undefined) => (reason ? it.skip : it)
  const tolerance = subject.rounded ? 1 : 1e-6

  describe(`${subject.name} as a forecaster`, () => {
    it('gives finite quantiles, not below zero, in order, and not falling with the horizon', () => {
      fc.assert(
        fc.property(demand, (values) => {
          const quantiles = run(values)
          expect(quantiles).toHaveLength(HORIZONS.length)
          quantiles.forEach((triple, i) => {
            const [p10, p50, p90] = triple as [number, number, number]
            expect(triple.every(Number.isFinite)).toBe(true)
            expect(0 <= p10 && p10 <= p50 && p50 <= p90).toBe(true)
            quantiles[i - 1]?.forEach((shorter, j) =>
              expect(triple[j]).toBeGreaterThanOrEqual(shorter - 1e-9),
            )
          })
        }),
        { numRuns: 60 },
      )
    })

    unless(subject.skip?.constant)('gives a constant back', () => {
      for (const level of [1, 5, 40, 1000])
        run(new Array<number>(300).fill(level)).forEach((triple, i) =>
          triple.forEach((value) => {
            const expected = level * HORIZONS[i]!
            expect(Math.abs(value - expected)).toBeLessThanOrEqual(0.005 * expected + tolerance)
          }),
        )
    })

    it('has nothing to forecast where nothing was sold', () => {
      for (const length of [1, 30, 400])
        for (const triple of run(new Array<number>(length).fill(0)))
          expect(triple.slice(0, 2)).toEqual([0, 0])
    })

    it('answers to a single sale, yesterday or a year ago', () => {
      for (const silence of [0, 1, 30, 363])
        for (const triple of run([7, ...new Array<number>(silence).fill(0)]))
          expect(triple.every((value) => Number.isFinite(value) && value >= 0)).toBe(true)
    })

    unless(subject.skip?.scale)('gives twelve times as much where all demand is twelvefold', () => {
      fc.assert(
        fc.property(demand, (values) => {
          const single = run(values).flat()
          const twelvefold = run(values.map((value) => 12 * value)).flat()
          single.forEach((value, i) =>
            expect(Math.abs(twelvefold[i]! - 12 * value)).toBeLessThanOrEqual(
              subject.rounded ? 12 : 1e-9 * (1 + 12 * value),
            ),
          )
        }),
        { numRuns: 30 },
      )
    })

    it('gives the same again, whatever it was asked in between', () => {
      fc.assert(
        fc.property(demand, demand, (values, others) => {
          const first = run(values)
          run(others)
          expect(run(values)).toEqual(first)
        }),
        { numRuns: 30 },
      )
    })

    it('reads nothing on or after the as-of date', () => {
      fc.assert(
        fc.property(demand, demand, (past, future) => {
          const history = historyOf(past)
          const longer = {
            days: Int32Array.from([...history.days, ...future.map((_, i) => AS_OF + i)]),
            quantities: Float64Array.from([...history.quantities, ...future]),
          }
          expect(subject.forecast(longer, AS_OF, HORIZONS)).toEqual(run(past))
        }),
        { numRuns: 30 },
      )
    })
  })
}
