import fc, { setRuns } from '../../support/properties.ts'
import {
  type Distribution,
  expectedShortage,
  p75At,
  probabilityWithin,
  quantileOf,
  USUAL_UPPER,
} from '../../../engine/forecast/distribution.ts'
import { countDemand, gammaDemand, type TextbookDemand } from '../textbook-distributions.ts'

setRuns(300)

const level = fc.double({ min: 0.001, max: 0.999, noNaN: true })
const amount = fc.double({ min: 0, max: 1000, noNaN: true })
/** P75 where it has one of its own, as a share of the way from P50 to P90. */
const upper = fc.option(fc.double({ min: 0.2, max: 0.8, noNaN: true }), { nil: undefined })
const withUpper = (distribution: Distribution, share: number | undefined): Distribution =>
  share === undefined
    ? distribution
    : { ...distribution, p75: p75At(share, distribution.p50, distribution.p90) }
const anyDistribution: fc.Arbitrary<Distribution> = fc
  .tuple(amount, amount, amount, fc.double({ min: 0.8, max: 2, noNaN: true }), upper)
  .map(([a, b, c, tail, share]) => {
    const [p10, p50, p90] = [a, b, c].toSorted((x, y) => x - y)
    return withUpper({ p10: p10!, p50: p50!, p90: p90!, tail }, share)
  })
/** With a P10 above 0 and quantiles apart from each other: probability has an inverse everywhere. */
const part = fc.double({ min: 0.1, max: 300, noNaN: true })
const spreadOut: fc.Arbitrary<Distribution> = fc
  .tuple(part, part, part, fc.double({ min: 0.8, max: 2, noNaN: true }), upper)
  .map(([a, b, c, tail, share]) => withUpper({ p10: a, p50: a + b, p90: a + b + c, tail }, share))
const usual: Distribution = { p10: 60, p50: 95, p90: 140, tail: 1.2 }

/** E[max(0, X − units)] as the mean over 20,000 equally likely quantiles and the last 1 / 20,000 apart. */
function shortageByQuantiles(distribution: Distribution, units: number): number {
  const count = 20_000
  const short = (at: number) => Math.max(0, quantileOf(distribution, at) - units)
  let sum = 0
  for (let i = 0; i < count - 1; i++) sum += short((i + 0.5) / count) / count
  for (let i = 0; i < 1000; i++) sum += short(1 - (i + 0.5) / 1000 / count) / count / 1000
  return sum
}

describe('the quantiles of a distribution', () => {
  it('are the given ones at P10, P50 and P90', () => {
    fc.assert(
      fc.property(anyDistribution, (distribution) => {
        const { p10, p50, p90 } = distribution
        expect(quantileOf(distribution, 0.5)).toBeCloseTo(p50, 6)
        // The normal quantile is exact to a millionth.
        expect(quantileOf(distribution, 0.1)).toBeCloseTo(p10, 2)
        expect(quantileOf(distribution, 0.9)).toBeCloseTo(p90, 2)
      }),
    )
  })

  it('can be redone by hand between and beyond them', () => {
    const [a, b] = [95 ** 0.25, (140 ** 0.25 - 95 ** 0.25) / 1.28155]
    expect(quantileOf(usual, 0.8)).toBeCloseTo((a + b * 0.84162) ** 4, 2)
    // 1.2 times as far beyond P90 as the fourth root would have it
    const beyond = (2.32635 - 1.28155) * 1.2
    expect(quantileOf(usual, 0.99)).toBeCloseTo((a + b * (1.28155 + beyond)) ** 4, 1)
    const below = (95 ** 0.25 - 60 ** 0.25) / 1.28155
    expect(quantileOf(usual, 0.25)).toBeCloseTo((a - below * 0.67449) ** 4, 2)
  })

  it('have a P75 of their own, and the same P50 and P90, where the middle is nearer to the median', () => {
    const bent = { ...usual, p75: 110 }
    expect(quantileOf(bent, 0.75)).toBeCloseTo(110, 4)
    expect(probabilityWithin(bent, 110)).toBeCloseTo(0.75, 5)
    for (const at of [0.2, 0.5, 0.9, 0.99])
      expect(quantileOf(bent, at)).toBeCloseTo(quantileOf(usual, at), 2)
    for (const at of [0.6, 0.8]) expect(quantileOf(bent, at)).toBeLessThan(quantileOf(usual, at))
    const as = p75At(USUAL_UPPER, usual.p50, usual.p90)
    expect(quantileOf({ ...usual, p75: as }, 0.6)).toBeCloseTo(quantileOf(usual, 0.6), 4)
  })

  it('are never below 0 and never fall as the level rises', () => {
    fc.assert(
      fc.property(anyDistribution, level, level, (distribution, one, other) => {
        const low = quantileOf(distribution, Math.min(one, other))
        expect(low).toBeGreaterThanOrEqual(0)
        expect(quantileOf(distribution, Math.max(one, other)) + 1e-9).toBeGreaterThanOrEqual(low)
      }),
    )
  })

  it('are further out above P90 with a heavier tail, and the same up to it', () => {
    const heavy = { ...usual, tail: 1.8 }
    for (const at of [0.05, 0.3, 0.5, 0.8, 0.9])
      expect(quantileOf(heavy, at)).toBe(quantileOf(usual, at))
    for (const at of [0.95, 0.99]) {
      expect(quantileOf(heavy, at)).toBeGreaterThan(quantileOf(usual, at) + 1)
    }
  })
})

describe('the probability that demand stays within an amount', () => {
  it('is the level whose quantile that amount is', () => {
    fc.assert(
      fc.property(spreadOut, level, (distribution, at) => {
        const units = quantileOf(distribution, at)
        if (units > 0) expect(probabilityWithin(distribution, units)).toBeCloseTo(at, 5)
        else expect(probabilityWithin(distribution, 0)).toBeGreaterThan(at - 1e-5)
      }),
    )
  })

  it('never falls with the amount, and is 0 below nothing', () => {
    fc.assert(
      fc.property(anyDistribution, amount, amount, (distribution, one, other) => {
        const less = probabilityWithin(distribution, Math.min(one, other))
        const more = probabilityWithin(distribution, Math.max(one, other))
        expect(less).toBeGreaterThanOrEqual(0)
        expect(more).toBeGreaterThanOrEqual(less - 1e-9)
        expect(more).toBeLessThanOrEqual(1)
        expect(probabilityWithin(distribution, -1)).toBe(0)
      }),
    )
  })
})

describe('the expected shortage', () => {
  it('is the mean of what exceeds an amount, integrated over all quantiles', () => {
    fc.assert(
      fc.property(anyDistribution, fc.double({ min: 0, max: 1500, noNaN: true }), (of, units) => {
        const expected = shortageByQuantiles(of, units)
        expect(Math.abs(expectedShortage(of, units) - expected)).toBeLessThan(
          1e-3 * (1 + expectedShortage(of, 0)),
        )
      }),
      { numRuns: 40 },
    )
  })

  it('falls by no more than each unit that is there, and never below 0', () => {
    fc.assert(
      fc.property(anyDistribution, amount, amount, (distribution, units, more) => {
        const before = expectedShortage(distribution, units)
        const after = expectedShortage(distribution, units + more)
        expect(after).toBeGreaterThanOrEqual(0)
        expect(after).toBeLessThanOrEqual(before + 1e-3)
        expect(before - after).toBeLessThanOrEqual(more + 1e-3)
      }),
    )
  })
})

describe('a demand that is certain', () => {
  it('has one value at all levels, and is short by what lacks to it', () => {
    const certain: Distribution = { p10: 5, p50: 5, p90: 5, tail: 1.2 }
    for (const at of [0.01, 0.5, 0.99]) expect(quantileOf(certain, at)).toBeCloseTo(5, 9)
    expect([4.9, 5.1].map((units) => probabilityWithin(certain, units))).toEqual([0, 1])
    expect(expectedShortage(certain, 0)).toBeCloseTo(5, 6)
    expect(expectedShortage(certain, 3)).toBeCloseTo(2, 6)
    expect(expectedShortage(certain, 8)).toBe(0)
  })

  it('is nothing where nothing is expected', () => {
    const nothing: Distribution = { p10: 0, p50: 0, p90: 0, tail: 1.2 }
    expect(quantileOf(nothing, 0.99)).toBe(0)
    expect(probabilityWithin(nothing, 0)).toBe(1)
    expect(expectedShortage(nothing, 0)).toBe(0)
  })
})

describe('a demand that is 0 in half of all cases', () => {
  const seldom: Distribution = { p10: 0, p50: 0, p90: 3, tail: 1 }

  it('is 0 up to the median and rises from there to P90', () => {
    expect([0.01, 0.3, 0.5].map((at) => quantileOf(seldom, at))).toEqual([0, 0, 0])
    expect(quantileOf(seldom, 0.9)).toBeCloseTo(3, 5)
    // The fourth root is 3^.25 · z / 1.2816.
    expect(quantileOf(seldom, 0.95)).toBeCloseTo(3 * (1.64485 / 1.28155) ** 4, 3)
    expect(probabilityWithin(seldom, 0)).toBeCloseTo(0.5, 6)
    expect(probabilityWithin(seldom, 3)).toBeCloseTo(0.9, 6)
  })

  it('has a mean: half of the fourth moment of the normal distribution, 3', () => {
    expect(expectedShortage(seldom, 0)).toBeCloseTo((3 / 1.28155 ** 4) * 1.5, 3)
  })
})

/** What a forecast that knows the demand exactly would say. */
const forecastOf = (demand: TextbookDemand, days: number): Distribution => ({
  p10: demand.quantile(days, 0.1),
  p50: demand.quantile(days, 0.5),
  p90: demand.quantile(days, 0.9),
  tail: 1,
})

describe('the quantiles beyond P90', () => {
  const LEVELS = [0.95, 0.975, 0.99]
  const errorsOf = (demand: TextbookDemand, days: number) =>
    LEVELS.map((at) => {
      const exact = demand.quantile(days, at)
      return { exact, error: quantileOf(forecastOf(demand, days), at) - exact }
    })

  it.each<[string, TextbookDemand, number, number]>([
    // Standard deviation over mean: .04 to .4, .5 to .8, .8 to 1.5
    ['Poisson 21', countDemand(3, 1), 7, 0.02],
    ['Poisson 27', countDemand(0.3, 1), 90, 0.02],
    ['Poisson 84', countDemand(3, 1), 28, 0.02],
    ['negative binomial 84, variance 8 times the mean', countDemand(3, 8), 28, 0.02],
    ['negative binomial 90, variance 4 times the mean', countDemand(1, 4), 90, 0.02],
    ['gamma of shape 25', gammaDemand(10, 2), 100, 0.02],
    ['gamma of shape 7', gammaDemand(10, 1), 7, 0.02],
    ['Poisson 2.1', countDemand(0.3, 1), 7, 0.02],
    ['negative binomial 7, variance 4 times the mean', countDemand(1, 4), 7, 0.02],
    ['gamma of shape 1.75', gammaDemand(10, 2), 7, 0.05],
    ['negative binomial 14, variance 20 times the mean', countDemand(2, 20), 7, 0.12],
    ['gamma of shape .44', gammaDemand(10, 4), 7, 0.16],
  ])('are those of %s, to a unit or that share', (_, demand, days, share) => {
    for (const { exact, error } of errorsOf(demand, days))
      expect(Math.abs(error)).toBeLessThan(Math.max(1, share * exact))
  })

  it('are too high rather than too low where the median is 0 or 1', () => {
    for (const [demand, days] of [
      [countDemand(0.05, 1), 7],
      [countDemand(0.05, 1), 28],
      [countDemand(0.2, 3), 7],
      [countDemand(0.05, 10), 28],
    ] as const)
      for (const { error } of errorsOf(demand, days)) expect(error).toBeGreaterThan(-1)
  })
})
