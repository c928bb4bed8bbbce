import { answer, type ForecastModel, quantile, quantilesAt } from '../../../engine/index.ts'

const model: ForecastModel = {
  asOf: 20_000,
  clock: { kind: 'daily' },
  knots: [1, 7, 28, 90],
  p10: [0, 2, 20, 80],
  p50: [1.2, 10.4, 40, 130],
  p90: [3, 20, 61, 190.6],
  confidence: ['low', 'medium', 'high', 'medium'],
  drivers: ['level', 'trend_up', 'short_history'],
}

describe('answer', () => {
  it('gives the numbers of a knot, rounded', () => {
    expect(answer(model, 7)).toMatchObject({ p10: 2, p50: 10, p90: 20, confidence: 'medium' })
    expect(answer(model, 90)).toMatchObject({ p90: 191 })
  })

  it('goes straight from knot to knot, with the confidence of the longer one', () => {
    // 14 days: a third of the way from 7 to 28
    expect(answer(model, 14)).toMatchObject({ p10: 8, p50: 20, p90: 34, confidence: 'high' })
  })

  it.each([0, 91, 7.5, NaN, -1])('refuses a horizon of %s', (horizon) => {
    expect(() => answer(model, horizon)).toThrow(RangeError)
  })

  it('counts a weekday by its weight, and names it where it moves the number', () => {
    const weekdays = [2, 0.8, 0.8, 0.8, 0.8, 0.8, 1]
    const weekly = { ...model, clock: { kind: 'daily' as const, weekdays } }
    expect(answer(weekly, 1).p50).toBe(3) // two mean days: 1.2 + (10.4 − 1.2) / 6
    expect(answer(weekly, 1).drivers).toEqual([
      'level',
      'trend_up',
      'weekly_seasonality',
      'short_history',
    ])
    expect(answer(weekly, 28)).toEqual(answer(model, 28))
  })
})

describe('quantile', () => {
  const month = quantilesAt(model, 28)

  it('is P10, P50, P90 at their levels', () => {
    expect([0.1, 0.5, 0.9].map((level) => quantile(month, level))).toEqual([20, 40, 61])
  })

  it('can be redone by hand between them', () => {
    // P50 + (P90 − P50) · z(.8) / z(.9) = 40 + 21 · .8416 / 1.2816, rounded up
    expect(quantile(month, 0.8)).toBe(Math.ceil(40 + (21 * 0.8416) / 1.2816))
    // P50 − (P50 − P10) · z(.75) / z(.9)
    expect(quantile(month, 0.25)).toBe(Math.round(40 - (20 * 0.6745) / 1.2816))
  })

  it('does not fall as the level rises', () => {
    let before = 0
    for (let level = 0.1; level < 0.9; level += 0.01) {
      const now = quantile(month, level)
      expect(now).toBeGreaterThanOrEqual(before)
      before = now
    }
  })

  it.each([0.05, 0.95, NaN])('refuses a level of %s', (level) => {
    expect(() => quantile(month, level)).toThrow(RangeError)
  })
})
