import fc from '../../support/properties.ts'
import type { DemandHistory } from '../../../engine/index.ts'
import {
  type Case,
  originsBefore,
  replayCases,
  scoresOf,
  WINDOW,
} from '../../../srv/domain/quality/replay.ts'
import { sampleOf } from '../../../srv/domain/quality/wanted.ts'

const AS_OF = 20_000
const [LAST] = originsBefore(AS_OF)

/** Daily demand of the two years before AS_OF. */
const history = (demand: (day: number) => number): DemandHistory => {
  const days = Int32Array.from({ length: 730 }, (_, i) => AS_OF - 730 + i)
  return { days, quantities: Float64Array.from(days, demand) }
}
const usual = (day: number) => 3 + ((day * 7919) % 5)

const replayed = (one: DemandHistory, origins = [LAST!], knownUntil = AS_OF) =>
  scoresOf(replayCases([{ location: 'L1', history: one }], origins, { L1: knownUntil }))

describe('scores', () => {
  const one: Case = {
    ...{ asOf: 19_000, demandClass: 'smooth', confidence: 'high' },
    ...{ p10: 10, p50: 20, p90: 30, demand: 20 },
  }

  it('count what lay within the range, above and below it, by month and class', () => {
    const cases: Case[] = [
      one,
      { ...one, demand: 10 },
      { ...one, demand: 30 },
      { ...one, demand: 31 },
      { ...one, demand: 9 },
      { ...one, p10: 0, demand: 0 },
      { ...one, demandClass: 'lumpy', demand: 100 },
      { ...one, asOf: one.asOf + 40 },
    ]
    const scores = scoresOf(cases)
    expect(scores).toMatchObject([
      {
        ...{ month: '2022-02-01', demandClass: 'smooth', cases: 6, covered: 4, above: 1, below: 1 },
        ...{ bounded: 5, p50: 120, demand: 100 },
      },
      { demandClass: 'lumpy', cases: 1, covered: 0, above: 1, below: 0 },
      { month: '2022-03-01', cases: 1, covered: 1 },
    ])
  })

  it('add the pinball losses of the three quantiles up', () => {
    const [score] = scoresOf([{ ...one, demand: 40 }])
    expect(score!.loss).toBeCloseTo((0.1 * 30 + 0.5 * 20 + 0.9 * 10) / 3, 10)
  })
})

describe('a replay', () => {
  it('does not score windows that ran out of stock', () => {
    const gone = (day: number) => day >= AS_OF - 20 && day < AS_OF - 10
    const stock = { seen: new Int32Array(0), empty: Int32Array.of(AS_OF - 20, AS_OF - 11) }
    const sold = history((day) => (gone(day) ? 0 : usual(day)))
    expect(replayed(sold)).toHaveLength(1)
    expect(replayed({ ...sold, stock })).toEqual([])
    expect(replayed({ ...history(usual), stock })).toHaveLength(1)
  })

  it('goes back thirteen windows that lie end to end', () => {
    const scores = replayed(history(usual), originsBefore(AS_OF))
    expect(scores.reduce((sum, { cases }) => sum + cases, 0)).toBe(13)
    expect(LAST! + WINDOW).toBe(AS_OF)
  })

  it('finds demand that goes on as it was within the range', () => {
    expect(replayed(history(usual))).toMatchObject([
      { cases: 1, covered: 1, above: 0, demandClass: 'smooth' },
    ])
  })

  it('finds what nobody could foresee above the range, and a silence below it', () => {
    const [surge] = replayed(history((day) => (day < LAST! ? usual(day) : 40)))
    expect(surge).toMatchObject({ cases: 1, above: 1, covered: 0, demand: 28 * 40, bounded: 1 })
    const [silence] = replayed(history((day) => (day < LAST! ? usual(day) : 0)))
    expect(silence).toMatchObject({ cases: 1, below: 1, covered: 0, demand: 0, bounded: 1 })
  })

  it('reads nothing on or after its origin', () => {
    const [expected] = replayed(history(usual))
    const future = fc.array(fc.integer({ min: -50, max: 500 }), { minLength: 28, maxLength: 28 })
    fc.assert(
      fc.property(future, fc.boolean(), (demand, promoted) => {
        const other = history((day) => (day < LAST! ? usual(day) : demand[day - LAST!]!))
        const promo = Uint8Array.from(other.days, (day) => (promoted && day >= LAST! ? 1 : 0))
        const [score] = replayed({ ...other, promo })
        const { p50, bounded, demandClass, confidence } = score!
        expect({ p50, bounded, demandClass, confidence }).toEqual({
          p50: expected!.p50,
          bounded: expected!.bounded,
          demandClass: expected!.demandClass,
          confidence: expected!.confidence,
        })
      }),
      { numRuns: 50 },
    )
  })

  it('takes returns off the sales before them, as far as they came within the window', () => {
    const [score] = replayed(history((day) => (day === AS_OF - 1 ? -10 : usual(day))))
    const days = Array.from({ length: 27 }, (_, i) => LAST! + i)
    expect(score!.demand).toBe(days.reduce((sum, day) => sum + usual(day), 0) - 10)
  })

  it('leaves out series with too little to say, and windows of which a part is not known', () => {
    expect(replayed(history((day) => (day === AS_OF - 300 ? 5 : 0)))).toEqual([])
    expect(replayed(history(usual), [LAST!], AS_OF - 1)).toEqual([])
  })
})

describe('the sample', () => {
  const series = (count: number) => Array.from({ length: count }, (_, i) => ({ ID: i + 1 }))
  const idsOf = (count: number) => sampleOf(series(count)).map(({ ID }) => ID)

  it('is all there is of a small source, and 400 of a large one', () => {
    expect(idsOf(90).toSorted((a, b) => a - b)).toEqual(series(90).map(({ ID }) => ID))
    expect(idsOf(5_000)).toHaveLength(400)
    expect(idsOf(60_000)).toHaveLength(400)
    expect(sampleOf([])).toEqual([])
  })

  it('is spread over the source', () => {
    const tenths = new Set(idsOf(60_000).map((ID) => Math.floor(ID / 6_000)))
    expect(tenths.size).toBe(10)
  })

  it('is nearly the same when series come', () => {
    const before = new Set(idsOf(60_000))
    const kept = idsOf(61_000).filter((ID) => before.has(ID))
    expect(kept.length).toBeGreaterThan(340)
  })
})
