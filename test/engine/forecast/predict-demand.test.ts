import {
  predictDemand,
  type ForecastModel,
  parseModel,
  demandDistribution,
  predictQuantiles,
} from '../../../engine/index.ts'

const model: ForecastModel = {
  asOf: 20_000,
  calendar: { kind: 'daily' },
  stepCounts: [1, 7, 28, 90],
  p10: [0, 2, 20, 80],
  p50: [1.2, 10.4, 40, 130],
  p90: [3, 20, 61, 190.6],
  confidence: ['low', 'medium', 'high', 'medium'],
  drivers: ['level', 'trend_up', 'short_history'],
}

describe('predictDemand', () => {
  it('gives the numbers of a step count, rounded', () => {
    expect(predictDemand(model, 7)).toMatchObject({
      p10: 2,
      p50: 10,
      p90: 20,
      confidence: 'medium',
    })
    expect(predictDemand(model, 90)).toMatchObject({ p90: 191 })
  })

  it('goes straight from one step count to the next, with the confidence of the larger one', () => {
    // 14 days: a third of the way from 7 to 28
    expect(predictDemand(model, 14)).toMatchObject({ p10: 8, p50: 20, p90: 34, confidence: 'high' })
  })

  it('has no demand before the day on which that starts', () => {
    const later = { ...model, startsOn: model.asOf + 7 }
    expect(predictDemand(later, 7)).toMatchObject({ p10: 0, p50: 0, p90: 0 })
    expect(predictDemand(later, 14)).toMatchObject({ p10: 2, p50: 10, p90: 20 })
    expect(demandDistribution(later, 7)).toMatchObject({ p50: 0, p90: 0 })
    expect(predictDemand({ ...later, startsOn: model.asOf - 7 }, 7).p50).toBe(10)
  })

  it.each([0, 91, 7.5, NaN, -1])('refuses a horizon of %s', (horizon) => {
    expect(() => predictDemand(model, horizon)).toThrow(RangeError)
  })

  it('counts a weekday by its weight, and names it where it moves the number', () => {
    const weekdays = [2, 0.8, 0.8, 0.8, 0.8, 0.8, 1]
    const weekly = { ...model, calendar: { kind: 'daily' as const, weekdays } }
    expect(predictDemand(weekly, 1).p50).toBe(3) // two mean days: 1.2 + (10.4 − 1.2) / 6
    expect(predictDemand(weekly, 1).drivers).toEqual([
      'level',
      'trend_up',
      'weekly_seasonality',
      'short_history',
    ])
    expect(predictDemand(weekly, 28)).toEqual(predictDemand(model, 28))
  })
})

describe('demandDistribution', () => {
  it('is what predictQuantiles rounds, at every horizon', () => {
    for (let horizon = 1; horizon <= 90; horizon++) {
      const { p10, p50, p90 } = demandDistribution(model, horizon)
      const quantiles = { p10, p50, p90 }
      const rounded = Object.entries(quantiles).map(([name, value]) => [name, Math.round(value)])
      expect(Object.fromEntries(rounded)).toEqual(predictQuantiles(model, horizon))
    }
  })

  it('lies straight between two step counts', () => {
    // A third of the way from 7 to 28 days
    const { p10, p50, p90 } = demandDistribution(model, 14)
    expect(p10).toBeCloseTo(2 + 18 / 3, 9)
    expect(p50).toBeCloseTo(10.4 + 29.6 / 3, 9)
    expect(p90).toBeCloseTo(20 + 41 / 3, 9)
  })

  it('has the tail that was learnt, straight between two step counts, and the usual one otherwise', () => {
    const learnt = { ...model, tail: [1, 1, 1.5, 1.8] }
    const tails = [1, 7, 14, 28].map((days) => demandDistribution(learnt, days).tail)
    expect(tails).toEqual([1, 1, expect.closeTo(1 + 0.5 / 3, 9), 1.5])
    expect(demandDistribution(model, 28).tail).toBe(1.2)
  })

  it.each([0, 91, 1.5])('refuses a horizon of %s', (horizon) => {
    expect(() => demandDistribution(model, horizon)).toThrow(RangeError)
  })
})

it('reads a model with the names of version 0.1.0', () => {
  const { calendar, stepCounts, ...rest } = model
  const stored = JSON.stringify({ ...rest, clock: calendar, knots: stepCounts })
  expect(parseModel(stored)).toEqual(model)
  expect(parseModel(JSON.stringify(model))).toEqual(model)
})
