import {
  predictDemand,
  type ForecastModel,
  parseModel,
  interpolateQuantile,
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

describe('quantile', () => {
  const month = predictQuantiles(model, 28)

  it('is P10, P50, P90 at their levels', () => {
    expect([0.1, 0.5, 0.9].map((level) => interpolateQuantile(month, level))).toEqual([20, 40, 61])
  })

  it('can be redone by hand between them', () => {
    // P50 + (P90 − P50) · z(.8) / z(.9) = 40 + 21 · .8416 / 1.2816, rounded up
    expect(interpolateQuantile(month, 0.8)).toBe(Math.ceil(40 + (21 * 0.8416) / 1.2816))
    // P50 − (P50 − P10) · z(.75) / z(.9)
    expect(interpolateQuantile(month, 0.25)).toBe(Math.round(40 - (20 * 0.6745) / 1.2816))
  })

  it('does not fall as the level rises', () => {
    let before = 0
    for (let level = 0.1; level < 0.9; level += 0.01) {
      const now = interpolateQuantile(month, level)
      expect(now).toBeGreaterThanOrEqual(before)
      before = now
    }
  })

  it.each([0.05, 0.95, NaN])('refuses a level of %s', (level) => {
    expect(() => interpolateQuantile(month, level)).toThrow(RangeError)
  })
})

it('reads a model with the names of version 0.1.0', () => {
  const { calendar, stepCounts, ...rest } = model
  const stored = JSON.stringify({ ...rest, clock: calendar, knots: stepCounts })
  expect(parseModel(stored)).toEqual(model)
  expect(parseModel(JSON.stringify(model))).toEqual(model)
})
