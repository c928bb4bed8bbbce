// Examples whose answers are printed in the books that the formulas come from, or computed from them.
import { beyondHorizon } from '../../../engine/inventory/beyond-horizon.ts'
import { demandOver } from '../../../engine/inventory/demand.ts'
import { mixtureQuantile } from '../../../engine/inventory/distribution.ts'
import { demandOverLeadTime, leadTimeSafety } from '../../../engine/inventory/lead-time.ts'
import { shelfLifeLimit } from '../../../engine/inventory/limits.ts'
import { onWeekdays } from '../../../engine/inventory/order-days.ts'
import { stockoutDay } from '../../../engine/inventory/supply.ts'
import { netRequirement, orderUpToLevel } from '../../../engine/inventory/order-up-to.ts'
import { inventoryPosition } from '../../../engine/inventory/position.ts'
import { forecastDays, protectionDays } from '../../../engine/inventory/protection.ts'
import { criticalRatio, targetQuantile } from '../../../engine/inventory/target-quantile.ts'
import { normalDemand, normalQuantile } from './normal.ts'

describe('the newsvendor', () => {
  it('buys 15 copies of the journal (Nahmias, Production and Operations Analysis, 5.3)', () => {
    // Bought at 25 cents, sold at 75, taken back at 10: 50 lost a copy short, 15 a copy left over.
    const ratio = criticalRatio(50, 15)
    expect(ratio).toBeCloseTo(0.77, 2)
    expect(11.73 + normalQuantile(ratio) * 4.74).toBeCloseTo(15.24, 1)
  })

  it('orders up to 56.6 (Snyder, Shen, Fundamentals of Supply Chain Theory, example 4.3)', () => {
    const ratio = criticalRatio(0.7, 0.18)
    expect(50 + normalQuantile(ratio) * 8).toBeCloseTo(56.6, 1)
  })
})

describe('the (R,S) system', () => {
  it('orders up to 16570 boxes (Chopra, Meindl, Supply Chain Management, ch. 12)', () => {
    // Weekly demand N(2500, 500), lead time 2 weeks, review every 4 weeks, service level 90 %.
    const demand = normalDemand(2500 / 7, 500 / Math.sqrt(7))
    const horizon = protectionDays(14, 28)
    const level = orderUpToLevel(demand, horizon, 0.9)
    expect(level).toBeGreaterThanOrEqual(16569)
    expect(level).toBeLessThanOrEqual(16571)
    expect(level - demand.at(horizon).p50).toBeCloseTo(1570, -1)
  })

  it('orders what the position lacks', () => {
    const position = inventoryPosition({ onHand: 12, onOrder: 20, openProposals: 0 })
    expect(netRequirement(140, position)).toBe(108)
    expect(netRequirement(140, 500)).toBe(0)
  })
})

describe('an uncertain lead time', () => {
  // (s,Q) and (R,S) with variable lead times: σ² = L·σd² + d²·σL² (Silver, Pyke, Thomas, ch. 6;
  // Chopra, Meindl, ch. 12; Nahmias, 5.6), z = 1.2816 at P90.
  it.each([
    [100, 30, 9, 3, 0],
    [100, 30, 14, 3, 7],
    [2500 / 7, 189, 7, 7, 0],
    [50, 40, 20, 5, 7],
    [10, 10, 30, 8, 14],
  ])(
    'of demand N(%p, %p) a day, lead time %p ± %p, review %p agrees with the textbook',
    (mean, sd, leadTime, deviation, review) => {
      const days = leadTime + review
      const expected =
        mean * days + 1.28155 * Math.sqrt(days * sd ** 2 + mean ** 2 * deviation ** 2)
      const demand = normalDemand(mean, sd)
      const mixture = demandOverLeadTime(
        demand,
        { meanDays: leadTime, deviationDays: deviation },
        review,
      )
      const level = mixtureQuantile(mixture, 0.9)
      expect(Math.abs(level - expected)).toBeLessThan(0.03 * (expected - mean * days) + 1)
    },
  )

  it('adds nothing to a median target, nor where it is kept', () => {
    const demand = normalDemand(100, 30)
    const safety = (deviationDays: number, level: number) =>
      leadTimeSafety(demand, { meanDays: 9, deviationDays }, 7, {
        level,
        targetStock: Math.round(demand.quantile(16, level)),
      })
    expect(safety(0, 0.9)).toBe(0)
    expect(safety(3, 0.5)).toBe(0)
    // √(16·900 + 10000·9) = 323.1 instead of 120: 1.2816 · 203.1 = 260.3
    expect(Math.abs(safety(3, 0.9) - 260.3)).toBeLessThan(8)
  })
})

describe('demand beyond the forecast', () => {
  const demand = normalDemand(10, 20)

  it('goes on at the rate of the median, its width with the root of time', () => {
    const { p10, p50, p90 } = demandOver(demand, 360)
    expect(p50).toBe(3600)
    expect(p90 - p50).toBeCloseTo(1.2816 * 20 * Math.sqrt(360), -1)
    expect(p50 - p10).toBeCloseTo(p90 - p50, -1)
    expect(demandOver(demand, 90)).toEqual(demand.at(90))
  })

  it('adds to the target what normal demand over the whole interval needs', () => {
    const { p50, p90 } = demand.at(90)
    const whole = demand.quantile(150, 0.9)
    expect(Math.abs(p90 + beyondHorizon({ p50 }, p90, 150) - whole)).toBeLessThan(3)
    expect(beyondHorizon({ p50 }, p90, 90)).toBe(0)
  })
})

describe('the stockout day', () => {
  const demand = normalDemand(10, 0)
  const out = (now: number, arrivals: { day: number; quantity: number }[] = []) =>
    stockoutDay(demand, { now, arrivals }, 365)

  it('is the first on which the median demand exceeds what is there', () => {
    expect([0, 9, 10, 25, 1000].map((now) => out(now))).toEqual([0, 0, 1, 2, 100])
    expect(out(3650)).toBeNull()
  })

  it('counts each receipt from its day on', () => {
    expect(out(30, [{ day: 3, quantity: 50 }])).toBe(8)
    expect(out(29, [{ day: 3, quantity: 50 }])).toBe(2)
    expect(out(30, [{ day: 4, quantity: 5000 }])).toBe(3)
  })
})

describe('order days', () => {
  it('are the next one, and the one after it as the review', () => {
    // Friday; orders on Mondays and Thursdays.
    const { first, next, lastUntil } = onWeekdays([1, 4], 5)
    expect([first, next]).toEqual([3, 6])
    expect([0, 3, 5, 6, 9, 10].map(lastUntil)).toEqual([3, 3, 3, 6, 6, 10])
    expect(onWeekdays([5], 5)).toMatchObject({ first: 0, next: 7 })
  })

  it('are weekdays', () => {
    expect(() => onWeekdays([8 as 1], 5)).toThrow(RangeError)
    expect(() => onWeekdays([], 5)).toThrow(RangeError)
  })
})

describe('the shelf life', () => {
  const limit = (position: number, leadTime = 14, life = 10) =>
    shelfLifeLimit(normalDemand(10, 0), leadTime, life, position)

  it('limits an order to what is used up after all that comes before it', () => {
    expect([0, 140, 200, 240, 300].map((position) => limit(position))).toEqual([
      100, 100, 40, 0, -60,
    ])
    expect(limit(-30)).toBe(130)
    expect(limit(0, 14, 0)).toBe(0)
  })
})

describe('the target quantile', () => {
  it('is P50 where a stockout costs no more than carrying', () => {
    expect(targetQuantile({ stockoutRate: 0.01, carryingRate: 0.73 }, 7)).toBe(0.5)
    expect(targetQuantile({ stockoutRate: 0.014, carryingRate: 0.73 }, 7)).toBe(0.5)
    expect(targetQuantile({ stockoutRate: 0, carryingRate: 0 }, 7)).toBe(0.5)
  })

  it('is P90 where a stockout costs nine times as much as carrying, or more', () => {
    expect(targetQuantile({ stockoutRate: 0.126, carryingRate: 0.73 }, 7)).toBe(0.9)
    expect(targetQuantile({ stockoutRate: 5, carryingRate: 0.25 }, 7)).toBe(0.9)
  })

  it('falls with the interval over which a unit left over is kept', () => {
    // 0.04 a unit short; 0.73 a year is 0.014 in 7 days, 0.042 in 21: 0.74 and 0.49
    const at = (days: number) => targetQuantile({ stockoutRate: 0.04, carryingRate: 0.73 }, days)
    expect([7, 14, 21].map(at)).toEqual([0.74, 0.59, 0.5])
  })

  it('lies between them otherwise, to two decimals', () => {
    expect(targetQuantile({ stockoutRate: 0.042, carryingRate: 0.73 }, 7)).toBe(0.75)
  })
})

describe('the protection interval', () => {
  it('is lead time and review period, of which at most 90 days are forecast', () => {
    expect(protectionDays(14, 7)).toBe(21)
    expect(protectionDays(0, 0)).toBe(1)
    expect(protectionDays(120, 7)).toBe(127)
    expect([21, 90, 127].map(forecastDays)).toEqual([21, 90, 90])
  })
})
