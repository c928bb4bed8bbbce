// Rare demand against the textbook's Poisson and negative binomial, from a history that was drawn from it.
import {
  type Counts,
  countQuantile,
  countQuantileOnce,
  countShortage,
  countsOf,
  countWithin,
} from '../../../engine/forecast/counts.ts'
import {
  demandDistribution,
  EMPTY_CONTEXT,
  forecastPair,
  type ForecastModel,
  predictQuantiles,
  toEpochDay,
} from '../../../engine/index.ts'
import { propose, riskOf, type ProposalInput } from '../../../engine/proposal/index.ts'
import { countDemand } from '../textbook-distributions.ts'
import { daily, noise, until } from './demand.ts'

const AS_OF = toEpochDay('2026-11-20')

describe('a count', () => {
  it.each([
    [0.05, 1],
    [0.7, 1],
    [2, 1],
    [0.7, 3],
    [6, 10],
  ])('of mean %p and variance %p times that is the textbook one', (mean, dispersion) => {
    const exact = countDemand(mean, dispersion)
    const counts: Counts = { mean, dispersion, pack: 1, weight: 1 }
    for (const units of [0, 1, 2, 5, 20]) {
      expect(countWithin(counts, units)).toBeCloseTo(exact.cdf(1, units), 9)
      expect(countShortage(counts, units)).toBeCloseTo(exact.shortage(1, units), 6)
    }
    for (const level of [0.1, 0.5, 0.9, 0.99]) {
      expect(countQuantile(counts, level)).toBe(exact.quantile(1, level))
      expect(countQuantileOnce(counts, level)).toBe(exact.quantile(1, level))
    }
  })

  it('comes in whole packs', () => {
    const counts: Counts = { mean: 0.7, dispersion: 1, pack: 12, weight: 1 }
    expect(countWithin(counts, 11)).toBeCloseTo(Math.exp(-0.7), 9)
    expect(countQuantile(counts, 0.8)).toBe(12)
    expect(countShortage(counts, 0)).toBeCloseTo(12 * 0.7, 9)
    expect(countShortage(counts, 6)).toBeCloseTo(12 * 0.7 - 6 * (1 - Math.exp(-0.7)), 9)
  })

  it('counts less and less beside the quantiles as demand gets frequent', () => {
    const weights = [0.1, 2, 4, 8, 12, 50].map(
      (mean) => countsOf({ mean, variance: mean, pack: 1 })?.weight ?? 0,
    )
    expect(weights).toEqual(weights.toSorted((a, b) => b - a))
    expect([weights[1], weights[4]]).toEqual([1, 0])
  })
})

/** Poisson of .05 a day: its rate is known as well as 36 sales tell it. */
const modelOf = (seed: number) => {
  const random = noise(seed)
  const history = daily(730, () => (random() < 0.05 ? 1 : 0))
  return forecastPair(until(AS_OF, history), AS_OF, EMPTY_CONTEXT)
}

const pairOf = (model: ForecastModel, onHand: number): ProposalInput => ({
  asOf: '2026-11-20',
  forecast: {
    at: (days) => predictQuantiles(model, days),
    distribution: (days) => demandDistribution(model, days),
  },
  position: { onHand, onOrder: 0, openProposals: 0 },
  planning: { leadTimeDays: 14, reviewPeriodDays: 7, moq: 1, lotSize: 1, supplier: null },
  policy: {
    reviewPeriodDays: 7,
    target: { stockoutRate: 0.4, carryingRate: 0.25 },
    supplierRequired: false,
  },
})

describe('a slow mover', () => {
  const models = Array.from({ length: 24 }, (_, i) => modelOf(i + 1))
  const exact = countDemand(0.05, 1)
  const meanOf = (value: (model: ForecastModel) => number) =>
    models.reduce((sum, model) => sum + value(model), 0) / models.length

  it('is mostly known to be one', () => {
    expect(models.filter(({ counts }) => counts).length).toBeGreaterThan(16)
  })

  it('runs out as often as the textbook says, in the mean of 24 histories', () => {
    for (const onHand of [0, 1, 2, 3]) {
      const stated = meanOf((model) => riskOf(pairOf(model, onHand), 0)!.stockoutProbability)
      expect(Math.abs(stated - (1 - exact.cdf(21, onHand)))).toBeLessThan(0.05)
    }
  })

  it('lasts as long as the textbook says, in the mean of 24 histories', () => {
    const lasts = (units: number, level: number) => {
      let days = 0
      while (exact.quantile(days + 1, level) <= units) days++
      return days
    }
    for (const onHand of [1, 2]) {
      const risks = (model: ForecastModel) => riskOf(pairOf(model, onHand), 0)!
      const p50 = meanOf((model) => risks(model).daysOfSupplyP50) / lasts(onHand, 0.5)
      const p90 = meanOf((model) => risks(model).daysOfSupplyP90) / lasts(onHand, 0.9)
      expect(Math.abs(p50 - 1)).toBeLessThan(0.25)
      expect(Math.abs(p90 - 1)).toBeLessThan(0.25)
    }
  })

  it('has no days of supply with nothing there', () => {
    const risk = riskOf(pairOf(models[0]!, 0), 0)!
    expect(risk).toMatchObject({ daysOfSupplyP50: 0, daysOfSupplyP90: 0 })
  })

  it('is ordered to the textbook optimum, and an empty shelf is a stockout that nothing covers', () => {
    const result = propose(
      pairOf(
        models.find(({ counts }) => counts)!,
        0,
      ),
    )
    if (result.kind !== 'order') throw new Error(result.kind)
    // The exact optimum is 4.
    expect([3, 4, 5]).toContain(result.quantity)
    expect(result.urgency).toBe('stocked_out')
    expect(result.rationale).not.toContain('0 on hand and 0 on order cover')
  })
})
