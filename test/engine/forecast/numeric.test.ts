import fc from '../../support/properties.ts'
import { makeCoherent } from '../../../engine/forecast/coherence.ts'
import { confidenceOf } from '../../../engine/forecast/confidence.ts'
import { coverageAt, measureCoverage } from '../../../engine/forecast/coverage.ts'
import { describeMissing, missingData } from '../../../engine/forecast/missing-data.ts'
import { writeCountQuantiles } from '../../../engine/forecast/numeric/count-quantiles.ts'
import { gammaQuantileOverMean } from '../../../engine/forecast/numeric/gamma.ts'
import { normalQuantile } from '../../../engine/forecast/numeric/normal.ts'
import { nthOf } from '../../../engine/forecast/numeric/nth.ts'
import { MAX_SAMPLE, Sample } from '../../../engine/forecast/numeric/sample.ts'

function forecastSteps(mean: number, variance: number) {
  const out = new Float64Array(3)
  writeCountQuantiles(mean, variance, out, 0)
  return [...out]
}

describe('the quantiles of a count', () => {
  it('are those of the negative binomial', () => {
    // size 2, probability 1/2: cumulative .25 .5 .69 .81 .89 .94
    expect(forecastSteps(2, 4)).toEqual([0, 1, 5])
    // geometric with mean 9: 1 − .9^(k+1)
    expect(forecastSteps(9, 90)).toEqual([0, 6, 21])
  })

  it('hardly jump where the gamma takes over', () => {
    for (const spread of [2, 10, 100]) {
      const counted = forecastSteps(119.9, 119.9 * spread)
      const continuous = forecastSteps(120.1, 120.1 * spread)
      counted.forEach((value, i) => expect(Math.abs(value - continuous[i]!)).toBeLessThan(3))
    }
  })

  it('are the mean where there is no variance, and nothing where there is no mean', () => {
    expect(forecastSteps(5, 0)).toEqual([5, 5, 5])
    expect(forecastSteps(0, 3)).toEqual([0, 0, 0])
  })

  it('are finite and in order for any mean and variance', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1e15, noNaN: true }),
        fc.double({ min: 0, max: 1e30, noNaN: true }),
        (mean, variance) => {
          const [p10, p50, p90] = forecastSteps(mean, variance) as [number, number, number]
          expect(0 <= p10 && p10 <= p50 && p50 <= p90 && Number.isFinite(p90)).toBe(true)
        },
      ),
    )
  })
})

describe('distributions', () => {
  it('knows the normal', () => {
    expect(normalQuantile(0.5)).toBe(0)
    expect(normalQuantile(0.9)).toBeCloseTo(1.2815516, 6)
    expect(normalQuantile(0.1)).toBeCloseTo(-1.2815516, 6)
    expect(normalQuantile(0.999999)).toBeCloseTo(4.7534243, 5)
  })

  it('knows the exponential and the chi-squared as gammas', () => {
    expect(gammaQuantileOverMean(1, 2)).toBeCloseTo(-Math.log(0.1), 6)
    expect(gammaQuantileOverMean(0.5, 2)).toBeCloseTo(2.705543, 4)
  })
})

describe('the quantiles of a sample', () => {
  it('are what sorting gives', () => {
    const entry = fc.tuple(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: 0, max: 9 }))
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: MAX_SAMPLE }), (entries) => {
        fc.pre(entries.some(([, weight]) => weight > 0))
        const sample = new Sample()
        sample.values.set(entries.map(([value]) => value))
        sample.weights.set(entries.map(([, weight]) => weight))
        sample.fill(entries.length)
        const out = new Float64Array(3)
        sample.quantiles(out, 0)
        const sorted = entries.toSorted(([a], [b]) => a - b)
        const total = sorted.reduce((sum, [, weight]) => sum + weight, 0)
        const expected = [0.1, 0.5, 0.9].map((level) => {
          let upTo = 0
          return sorted.find(([, weight]) => (upTo += weight) >= level * total - 1e-9)![0]
        })
        expect([...out]).toEqual(expected)
      }),
    )
  })
})

describe('coherence', () => {
  const triples = fc.array(fc.double({ min: -10, max: 1e6, noNaN: true }), {
    minLength: 3,
    maxLength: 21,
  })

  it('orders levels and horizons, and leaves what is in order alone', () => {
    fc.assert(
      fc.property(triples, (numbers) => {
        const quantiles = Float64Array.from(numbers.slice(0, numbers.length - (numbers.length % 3)))
        makeCoherent(quantiles)
        for (let i = 0; i < quantiles.length; i++) {
          if (i % 3) expect(quantiles[i]).toBeGreaterThanOrEqual(quantiles[i - 1]!)
          if (i >= 3) expect(quantiles[i]).toBeGreaterThanOrEqual(quantiles[i - 3]! * (1 - 1e-12))
        }
        const again = quantiles.slice()
        makeCoherent(again)
        again.forEach((value, i) => expect(value).toBeCloseTo(quantiles[i]!, 6))
      }),
    )
  })

  it('keeps P75 between P50 and P90, and rising, wherever it lay', () => {
    fc.assert(
      fc.property(triples, triples, (numbers, uppers) => {
        const quantiles = Float64Array.from(numbers.slice(0, numbers.length - (numbers.length % 3)))
        const p75 = Array.from({ length: quantiles.length / 3 }, (_, i) => uppers[i % 3]!)
        makeCoherent(quantiles, p75)
        p75.forEach((value, i) => {
          expect(value).toBeGreaterThanOrEqual(quantiles[3 * i + 1]!)
          expect(value).toBeLessThanOrEqual(quantiles[3 * i + 2]!)
          if (i) expect(value).toBeGreaterThanOrEqual(p75[i - 1]! * (1 - 1e-12))
        })
      }),
    )
  })

  it('shares a fall out among its neighbours', () => {
    const quantiles = Float64Array.of(0, 10, 20, 0, 6, 30)
    makeCoherent(quantiles)
    expect([...quantiles]).toEqual([0, 8, 20, 0, 8, 30])
  })
})

describe('confidence', () => {
  const measured = (share: number) =>
    [28, 90].map((horizon) => ({ ...{ horizon, windows: 400 }, shares: Array(6).fill(share) }))

  it.each([
    ['high', 50, 100, 220, 400, 28],
    ['medium', 50, 100, 221, 400, 28],
    ['medium', 0, 100, 250, 400, 28],
    ['low', 0, 100, 251, 400, 28],
    ['high', 80, 100, 140, 120, 28],
    ['medium', 80, 100, 140, 119, 28],
    ['medium', 80, 100, 140, 90, 28],
    ['low', 80, 100, 140, 89, 28],
    ['high', 80, 100, 140, 180, 90],
    ['low', 80, 100, 140, 179, 90],
    ['low', 0, 0, 2, 400, 28],
  ])('is %s for %s..%s..%s and %s days', (expected, p10, p50, p90, days, horizon) => {
    expect(confidenceOf({ p10, p50, p90 }, days, horizon, measured(0.8))).toBe(expected)
  })

  it.each([
    ['high', 0.75],
    ['medium', 0.749],
    ['medium', 0.7],
    ['low', 0.699],
  ])('is %s where %s of past forecasts of its kind held what came', (expected, share) => {
    expect(confidenceOf({ p10: 80, p50: 100, p90: 140 }, 400, 28, measured(share))).toBe(expected)
  })

  it('is not high where nothing was measured', () => {
    expect(confidenceOf({ p10: 80, p50: 100, p90: 140 }, 400, 28, null)).toBe('medium')
  })
})

describe('measured coverage', () => {
  const narrow = { p10: 8, p50: 10, p90: 12 }
  const cases = (count: number, quantiles: typeof narrow, demand: (i: number) => number) =>
    Array.from({ length: count }, (_, i) => ({
      ...{ quantiles, historyDays: 400 },
      demand: demand(i),
    }))
  const shareOf = (measured: ReturnType<typeof measureCoverage>, quantiles: typeof narrow) =>
    coverageAt([measured], 7, quantiles, 400)

  it('is the share of past forecasts of that kind that held what came', () => {
    const past = [
      ...cases(5000, narrow, (i) => (i % 10 < 6 ? 11 : 20)),
      ...cases(5000, { p10: 0, p50: 10, p90: 40 }, (i) => (i % 10 < 9 ? 1 : 50)),
    ]
    const measured = measureCoverage(7, past, 1)
    expect(shareOf(measured, narrow)).toBeCloseTo(0.6, 2)
    expect(shareOf(measured, { p10: 1, p50: 10, p90: 50 })).toBeCloseTo(0.9, 2)
  })

  it('is drawn to the promised .80 where there are few windows, and where these overlap', () => {
    expect(
      shareOf(
        measureCoverage(
          7,
          cases(50, narrow, () => 20),
          1,
        ),
        narrow,
      ),
    ).toBeCloseTo(0.2, 9)
    expect(
      shareOf(
        measureCoverage(
          7,
          cases(50, narrow, () => 20),
          0.1,
        ),
        narrow,
      ),
    ).toBeGreaterThan(0.6)
    expect(shareOf(measureCoverage(7, [], 1), narrow)).toBe(0.8)
  })

  it('is that of the first measured horizon that is no shorter', () => {
    const all = [0.5, 0.9].map((share, i) => ({
      ...{ horizon: [28, 90][i]!, windows: 9 },
      shares: Array(6).fill(share),
    }))
    expect([7, 28, 29, 90].map((days) => coverageAt(all, days, narrow, 400))).toEqual([
      0.5, 0.5, 0.9, 0.9,
    ])
  })
})

describe('what is missing', () => {
  it('is told by horizon, in days where more days would do', () => {
    expect(missingData({ historyDays: 100 }, 28)).toEqual([])
    expect(missingData({ historyDays: 100 }, 90)).toEqual([{ code: 'demand_history', days: 80 }])
    const young = missingData({ historyDays: 56, isSoldOnce: true, isStockUnknown: true }, 28)
    expect(young.map(describeMissing)).toEqual([
      'demand of 34 more days',
      'sales on a second day',
      'stock: days without stock cannot be told from days without demand',
    ])
  })
})

describe('the value at a rank', () => {
  it('is the one that stands there when all are in order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 60 }),
        fc.nat(59),
        (values, at) => {
          const rank = at % values.length
          const expected = values.toSorted((a, b) => a - b)[rank]
          expect(nthOf(Float64Array.from(values), values.length, rank)).toBe(expected)
        },
      ),
    )
  })
})
