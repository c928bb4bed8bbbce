// Worked by hand: what comes of ordering as calculated, day by day.
import { expectedDays, propose, usualDemand } from '../../../engine/proposal/index.ts'
import { normalDemand } from '../inventory/normal.ts'
import { input, steadyDemand } from './input.ts'

const expected = (given: ReturnType<typeof input>, days: number) => {
  const result = propose(given)
  if (result.kind === 'blocked') throw new Error('blocked')
  return expectedDays(given, result.calculation, days)
}

/** 4 a day for sure, a lead time and a review period of a week, in lots of 1. */
const certain = (onHand: number, more = {}) =>
  input({
    forecast: steadyDemand(4, 0),
    position: { onHand, onOrder: 0, ...more },
    planning: { leadTimeDays: 7, reviewPeriodDays: 7, moq: 1, lotSize: 1 },
  })

describe('what is expected of coming days', () => {
  it('is today what is there', () => {
    expect(expected(certain(30), 1)).toEqual({ unitDays: 30, stockoutDays: 0 })
    expect(expected(certain(0), 1)).toEqual({ unitDays: 0, stockoutDays: 1 })
  })

  it('uses up stock, receives what is ordered now, and after that what later reviews order', () => {
    // 30, 26 … 6; up to 56 from day 7 on: 28, 24 … 4; and again from day 14 on.
    const first = 30 + 26 + 22 + 18 + 14 + 10 + 6
    const week = 28 + 24 + 20 + 16 + 12 + 8 + 4
    const found = expected(certain(30), 21)
    expect(found.unitDays).toBeCloseTo(first + 2 * week, 6)
    expect(found.stockoutDays).toBe(0)
  })

  it('counts days on which nothing is left', () => {
    // 10, 6, 2, and four days without.
    const found = expected(certain(10), 7)
    expect(found.unitDays).toBeCloseTo(18, 9)
    expect(found.stockoutDays).toBe(4)
  })

  it('orders nothing as long as there is more than enough', () => {
    const found = expected(certain(200), 21)
    expect(found.unitDays).toBeCloseTo(21 * 200 - 4 * 210, 6)
  })

  it('receives what is on order on its day', () => {
    const late = { receipts: [{ date: '2026-11-24', quantity: 100 }] }
    // On day 4, when 10, 6 and 2 are used up: 100 + 10 − 16.
    expect(expected(certain(10, late), 5)).toEqual({ unitDays: 18 + 94, stockoutDays: 1 })
  })

  it('knows chances', () => {
    // N(10, 10) a day: on day 4 N(40, 20) of 40 on hand, so that E[(40 − D)⁺] = 20 / √(2π), and P(D ≥ 40) is a half and half a unit more.
    const given = input({
      forecast: normalDemand(10, 10),
      position: { onHand: 40, onOrder: 0 },
    })
    const day = (days: number) => expected(given, days)
    expect(day(5).unitDays - day(4).unitDays).toBeCloseTo(20 / Math.sqrt(2 * Math.PI), 0)
    expect(day(5).stockoutDays - day(4).stockoutDays).toBeCloseTo(0.51, 2)
  })

  it('knows the demand of a usual day', () => {
    expect(usualDemand(steadyDemand(4, 0))).toBeCloseTo(4, 9)
  })
})
