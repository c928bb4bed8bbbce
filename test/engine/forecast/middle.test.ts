import { learnMiddle, recentre } from '../../../engine/forecast/boosting/middle.ts'
import { quantileOf, USUAL_UPPER } from '../../../engine/forecast/distribution.ts'
import { weightsFor } from '../../../engine/forecast/calibration/calibration.ts'
import { noise } from './demand.ts'

const WINDOWS = 4000
const random = noise(11)

/** Counts whose P10, P50 and P90 are known; of each window another size. */
function windowsOf(said: (p50: number) => number) {
  const quantiles = new Float64Array(3 * WINDOWS)
  const demand = new Float64Array(WINDOWS)
  for (let w = 0; w < WINDOWS; w++) {
    const p50 = 0.6 + 8 * random()
    const truth = { p10: 0.3 * p50, p50, p90: 2.2 * p50, tail: 1 }
    demand[w] = Math.round(quantileOf(truth, Math.min(0.999, Math.max(0.001, random()))))
    quantiles.set([truth.p10, said(p50), truth.p90], 3 * w)
  }
  const spread = Float64Array.from({ length: WINDOWS }, () => random())
  return { quantiles, demand, spread, evidence: 1 }
}

describe('the middle of a forecast', () => {
  it('stays where it is right, though most of its counts are ties', () => {
    const { usual } = learnMiddle(windowsOf((p50) => p50))
    expect(Math.abs(usual.centre)).toBeLessThan(0.04)
    expect(Math.abs(usual.upper - USUAL_UPPER)).toBeLessThan(0.04)
  })

  it('is moved to where half of past demand was above it', () => {
    const { usual } = learnMiddle(windowsOf((p50) => 1.15 * p50))
    const quantiles = Float64Array.of(3, 11.5, 22)
    recentre(usual.centre, quantiles, 0)
    expect(quantiles[1]! / 10).toBeCloseTo(1, 1)
    expect([quantiles[0], quantiles[2]]).toEqual([3, 22])
  })

  it('is learnt for wide ranges apart, and not at all from a few windows', () => {
    const { wide } = learnMiddle(windowsOf((p50) => 1.3 * p50))
    expect(wide).toEqual({ centre: 0, upper: USUAL_UPPER })
  })

  it('never leaves the range', () => {
    for (const centre of [-0.25, 0.25]) {
      const quantiles = Float64Array.of(0, 0.2, 9)
      recentre(centre, quantiles, 0)
      expect(quantiles[1]).toBeGreaterThanOrEqual(0)
      expect(quantiles[1]).toBeLessThanOrEqual(9)
    }
  })
})

describe('the weights between two learnt horizons', () => {
  const bucket = (...weights: number[]) => ({ windows: 500, weights })
  const calibration = {
    methods: [],
    buckets: [bucket(1, 0), bucket(0, 1), bucket(0.5, 0.5), bucket(1, 0)],
  }
  const first = (days: number) => weightsFor(calibration, days)[0]

  it('go over by the logarithm of days', () => {
    const halfway = 14 * Math.SQRT2
    expect([1, 7, 14, halfway, 28, 90].map(first)).toEqual([
      ...[1, 1, 0, expect.closeTo(0.25, 9), 0.5, 1],
    ])
  })
})
