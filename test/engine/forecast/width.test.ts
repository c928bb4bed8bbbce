import {
  demandDistribution,
  EMPTY_CONTEXT,
  forecastPair,
  quantileOf,
  toEpochDay,
} from '../../../engine/index.ts'
import { chanceFactor, unseenSeasonFactor } from '../../../engine/forecast/width.ts'
import { daily, noise, until } from './demand.ts'

const AS_OF = toEpochDay('2026-11-20')

describe('a location whose year was not seen yet', () => {
  it('stretches the upper side by up to a half, fading out over half a year', () => {
    expect(unseenSeasonFactor(90, 200)).toBe(1.5)
    expect(unseenSeasonFactor(90, 365)).toBe(1.25)
    expect(unseenSeasonFactor(90, 455)).toBe(1)
    expect(unseenSeasonFactor(9, 100)).toBe(1.05)
  })

  it('keeps the P50 and the middle of the upper side, widens a longer horizon more, and the lower side a tenth of it', () => {
    const random = noise(5)
    const history = until(
      AS_OF,
      daily(200, () => Math.floor(9 * random())),
    )
    const model = (knownFrom: number | null) =>
      forecastPair(history, AS_OF, { ...EMPTY_CONTEXT, knownFrom })
    const [seen, unseen] = [model(null), model(AS_OF - 200)]
    expect(unseen.p50).toEqual(seen.p50)
    expect(seen).not.toHaveProperty('p75')
    for (const days of [7, 28, 90]) {
      const middles = [seen, unseen].map((each) => quantileOf(demandDistribution(each, days), 0.75))
      expect(middles[1]! / middles[0]!).toBeCloseTo(1, 3)
    }
    const stretch = (i: number) => (unseen.p90[i]! - unseen.p50[i]!) / (seen.p90[i]! - seen.p50[i]!)
    const last = seen.stepCounts.length - 1
    expect(stretch(last)).toBeCloseTo(1.5, 3)
    const below = (unseen.p50[last]! - unseen.p10[last]!) / (seen.p50[last]! - seen.p10[last]!)
    expect(below).toBeCloseTo(1.05, 3)
    expect(stretch(2)).toBeLessThan(stretch(last))
  })
})

describe('a range that was learnt', () => {
  it.each([
    [100, 100, 100, 1.1],
    [50, 100, 150, 1.05],
    [0, 100, 200, 1],
    [0, 0, 4, 1],
  ])(
    'of %s..%s..%s is stretched by what its narrowness owes to chance',
    (p10, p50, p90, factor) => {
      expect(chanceFactor(Float64Array.of(p10, p50, p90), 0)).toBeCloseTo(factor, 9)
    },
  )
})
