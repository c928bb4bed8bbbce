import { riskCurve, riskOf } from '../../../engine/proposal/index.ts'
import { normalDemand } from '../inventory/normal.ts'
import { input, steadyDemand } from './input.ts'

describe('the risk of a quantity', () => {
  // N(10, 10) a day, lead time 14, review 7: N(210, 45.8) until the next order arrives.
  const pair = (onHand: number, planning = {}, position = {}) =>
    input({
      forecast: normalDemand(10, 10),
      position: { onHand, onOrder: 0, ...position },
      planning: { unitCost: 4.2, ...planning },
    })
  const chance = (...args: Parameters<typeof pair>) => riskOf(pair(...args), 0)!.stockoutProbability

  it('is that of demand until the order of the next review arrives', () => {
    expect(chance(210)).toBeCloseTo(0.5, 2)
    expect(chance(210 + 45.83)).toBeCloseTo(0.1587, 2)
    expect(riskOf(pair(200), 55.83)!.stockoutProbability).toBeCloseTo(0.1587, 2)
  })

  it('cannot be less than that of the days before this order arrives', () => {
    // N(140, 37.4) within the lead time: no order helps there. 140.5 and more are too many: 1 − Φ(.5 / 37.4).
    expect(riskOf(pair(140), 0)!.stockoutProbability).toBeGreaterThan(0.9)
    expect(riskOf(pair(140), 100000)!.stockoutProbability).toBeCloseTo(0.4947, 2)
  })

  it('grows with an uncertain lead time', () => {
    expect(chance(260, { leadTimeDeviationDays: 7 })).toBeGreaterThan(chance(260) + 0.05)
  })

  it('sees a gap before a receipt', () => {
    const late = { receipts: [{ date: '2026-12-02', quantity: 1000 }] }
    // N(120, 34.6) until then: 1 − Φ(.5 / 34.6)
    expect(riskOf(pair(120, {}, late), 0)!.stockoutProbability).toBeCloseTo(0.4942, 2)
  })

  it('says when supply runs out, how long it lasts and what it is worth', () => {
    const steady = input({
      forecast: steadyDemand(10),
      position: { onHand: 150, onOrder: 50 },
      planning: { unitCost: 4.2 },
    })
    expect(riskCurve(steady, [0, 120])).toEqual([
      expect.objectContaining({
        quantity: 0,
        stockoutDay: '2026-12-10',
        daysOfSupplyP50: 20,
        daysOfSupplyP90: 14,
        value: 0,
      }),
      expect.objectContaining({
        quantity: 120,
        stockoutDay: '2026-12-22',
        daysOfSupplyP50: 32,
        daysOfSupplyP90: 22,
        value: 504,
      }),
    ])
  })

  it('tells what comes before the arrival, which no quantity mends, from what comes after it', () => {
    const empty = input({ forecast: steadyDemand(10), position: { onHand: 0 } })
    const [none, plenty] = riskCurve(empty, [0, 1e9])
    expect(none!.stockoutAfterArrival).toBeGreaterThan(0.9)
    expect(plenty).toMatchObject({ stockoutAfterArrival: 0 })
    expect(plenty!.stockoutBeforeArrival).toBe(none!.stockoutBeforeArrival)
    expect(plenty!.stockoutProbability).toBe(plenty!.stockoutBeforeArrival)
  })

  it('looks no further than a year', () => {
    expect(riskOf(input({ forecast: steadyDemand(0) }), 40)).toEqual({
      quantity: 40,
      stockoutProbability: 0,
      stockoutBeforeArrival: 0,
      stockoutAfterArrival: 0,
      stockoutDay: null,
      daysOfSupplyP50: 365,
      daysOfSupplyP90: 365,
      value: null,
    })
  })

  it('is not guessed where stock or lead time is not known', () => {
    expect(riskOf(pair(0, { leadTimeDays: null }), 40)).toBeNull()
    expect(riskCurve(input({ position: { onHand: null } }), [0, 40])).toEqual([])
  })
})
