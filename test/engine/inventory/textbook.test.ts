// Examples whose answers are printed in the books that the formulas come from, or computed from them.
import { demandOver, demandQuantile, shownQuantiles } from '../../../engine/inventory/demand.ts'
import { demandOverLeadTime } from '../../../engine/inventory/lead-time.ts'
import { shelfLifeLimit } from '../../../engine/inventory/limits.ts'
import {
  mixtureProbability,
  mixtureQuantile,
  probabilityCovered,
} from '../../../engine/inventory/mixture.ts'
import { onWeekdays } from '../../../engine/inventory/order-days.ts'
import { stockoutDay } from '../../../engine/inventory/supply.ts'
import { netRequirement, orderUpTo } from '../../../engine/inventory/order-up-to.ts'
import { inventoryPosition } from '../../../engine/inventory/position.ts'
import { forecastDays, protectionDays } from '../../../engine/inventory/protection.ts'
import { demandFrom, normalDemand, normalQuantile } from './normal.ts'

describe('the newsvendor', () => {
  /** Where one more unit is as likely to be worth `under` as to cost `over`. */
  const newsvendor = (under: number, over: number, mean: number, deviation: number) => {
    const demand = {
      p10: mean - 1.28155 * deviation,
      p50: mean,
      p90: mean + 1.28155 * deviation,
      tail: 1,
    }
    return mixtureQuantile([{ weight: 1, demand }], under / (under + over))
  }

  it('buys 15 copies of the journal (Nahmias, Production and Operations Analysis, 5.3)', () => {
    // Bought at 25 cents, sold at 75, taken back at 10: 50 lost a copy short, 15 a copy left over.
    expect(11.73 + normalQuantile(50 / 65) * 4.74).toBeCloseTo(15.24, 1)
    expect(newsvendor(50, 15, 11.73, 4.74)).toBeCloseTo(15.24, 0)
  })

  it('orders up to 56.6 (Snyder, Shen, Fundamentals of Supply Chain Theory, example 4.3)', () => {
    expect(newsvendor(0.7, 0.18, 50, 8)).toBeCloseTo(56.6, 0)
  })
})

describe('a mixture of demands', () => {
  const low = { p10: 10, p50: 20, p90: 30, tail: 1 }
  const high = { p10: 110, p50: 120, p90: 130, tail: 1 }
  const mixture = [
    { weight: 0.75, demand: low },
    { weight: 0.25, demand: high },
  ]

  it('is one or the other, as often as they weigh', () => {
    expect(mixtureProbability(mixture, 70)).toBeCloseTo(0.75, 3)
    // P95 is exceeded in a fifth of the cases of the second: its P80
    expect(mixtureQuantile(mixture, 0.95)).toBeCloseTo(
      mixtureQuantile([{ weight: 1, demand: high }], 0.8),
      1,
    )
    for (const level of [0.05, 0.3, 0.7, 0.8, 0.99])
      expect(mixtureProbability(mixture, mixtureQuantile(mixture, level))).toBeCloseTo(level, 3)
  })

  it('is covered by whole units: 20 cover 20, and half a unit more covers no more', () => {
    expect(probabilityCovered(mixture, 20)).toBe(probabilityCovered(mixture, 20.9))
    expect(probabilityCovered(mixture, 20)).toBe(mixtureProbability(mixture, 20.5))
    expect(probabilityCovered([{ weight: 1, demand: low }], 19)).toBeLessThan(0.5)
    expect(probabilityCovered([{ weight: 1, demand: low }], 20)).toBeGreaterThan(0.5)
    expect(probabilityCovered(mixture, -1)).toBe(0)
  })
})

describe('the (R,S) system', () => {
  it('orders up to 16570 boxes (Chopra, Meindl, Supply Chain Management, ch. 12)', () => {
    // Weekly demand N(2500, 500), lead time 2 weeks, review every 4 weeks, service level 90 %.
    const demand = normalDemand(2500 / 7, 500 / Math.sqrt(7))
    const horizon = protectionDays(14, 28)
    const leadTime = { meanDays: 14, deviationDays: 0 }
    const { targetStock, ...further } = orderUpTo(
      demand,
      { leadTime, reviewDays: 28, days: horizon },
      0.9,
    )
    expect(targetStock).toBeGreaterThanOrEqual(16569)
    expect(targetStock).toBeLessThanOrEqual(16571)
    expect(targetStock - demand.at(horizon).p50).toBeCloseTo(1570, -1)
    expect(further).toEqual({ beyondHorizon: 0, leadTimeSafety: 0 })
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
      orderUpTo(
        demand,
        { leadTime: { meanDays: 9, deviationDays }, reviewDays: 7, days: 16 },
        level,
      ).leadTimeSafety
    expect(safety(0, 0.9)).toBe(0)
    expect(safety(3, 0.5)).toBe(0)
    // √(16·900 + 10000·9) = 323.1 instead of 120: 1.2816 · 203.1 = 260.3
    expect(Math.abs(safety(3, 0.9) - 260.3)).toBeLessThan(8)
    // and at P98, 2.0537 · 203.1 = 417.1
    expect(Math.abs(safety(3, 0.98) - 417.1)).toBeLessThan(15)
  })

  it('is one of 13 lead times, none below 0', () => {
    const mixture = demandOverLeadTime(normalDemand(10, 0), { meanDays: 3, deviationDays: 2 }, 7)
    expect(mixture).toHaveLength(13)
    expect(mixture.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 9)
    // 3 − 3·2 < 0: 7 days are left; 3 + 3·2 + 7 = 16 days
    expect([mixture[0]!, mixture[12]!].map(({ demand }) => demand.p50)).toEqual([70, 160])
    expect(mixture[6]!.weight / mixture[8]!.weight).toBeCloseTo(Math.exp(0.5), 9)
  })
})

describe('demand beyond the forecast', () => {
  const demand = normalDemand(10, 20)

  it('goes on at the rate of the median, the width as it grew', () => {
    // Errors of independent days: √(360 / 90) = 2 times the width of 90 days.
    const { p10, p50, p90 } = demandOver(demand, 360)
    expect(p50).toBeCloseTo(3600, 6)
    expect(p90 - p50).toBeCloseTo(1.28155 * 20 * Math.sqrt(360), 2)
    expect(p50 - p10).toBeCloseTo(p90 - p50, 6)
    expect(demandOver(demand, 90)).toEqual(demand.distribution(90))
  })

  it.each([
    // The width at 28 days and at 90; its growth, ln(last / first) / ln(90 / 28), kept to .5..1
    [20, 20 * (90 / 28) ** 0.7, 0.7],
    [28, 90, 1],
    [20, 100, 1],
    [50, 52, 0.5],
    [0, 40, 0.5],
    [40, 0, 0.5],
  ])('widens from %p at 28 days and %p at 90 with the power %p of time', (first, last, growth) => {
    const width = (days: number) => (days <= 28 ? first : last)
    const uncertain = demandFrom((days) => ({
      p10: days * 10 - width(days),
      p50: days * 10,
      p90: days * 10 + width(days),
      tail: 1.3,
    }))
    const { p10, p50, p90, tail } = demandOver(uncertain, 180)
    expect(p50).toBeCloseTo(1800, 6)
    expect(p90 - p50).toBeCloseTo(last * 2 ** growth, 6)
    expect(p50 - p10).toBeCloseTo(last * 2 ** growth, 6)
    expect(tail).toBe(1.3)
  })

  it('adds to the target what normal demand over the whole interval needs', () => {
    const leadTime = { meanDays: 143, deviationDays: 0 }
    const parts = orderUpTo(demand, { leadTime, reviewDays: 7, days: 150 }, 0.9)
    expect(parts.targetStock).toBe(demand.at(90).p90)
    expect(
      Math.abs(parts.targetStock + parts.beyondHorizon - demand.quantile(150, 0.9)),
    ).toBeLessThan(1)
  })

  it('has the quantiles that are shown, also where they end in a half', () => {
    const steady = demandFrom((days) => {
      const each = days * 4.5
      return { p10: each, p50: each, p90: each, tail: 1.3 }
    })
    for (let days = 1; days <= 90; days++)
      for (const [level, name] of [
        [0.5, 'p50'],
        [0.9, 'p90'],
      ] as const)
        expect(demandQuantile(steady, days, level)).toBe(
          shownQuantiles(steady.distribution(days))[name],
        )
  })

  it('is 0 for no days, and straight between two of them', () => {
    expect(demandOver(demand, 0)).toMatchObject({ p10: 0, p50: 0, p90: 0 })
    expect(demandQuantile(demand, 0, 0.99)).toBe(0)
    const [four, five] = [demand.distribution(4), demand.distribution(5)]
    expect(demandOver(demand, 4.25).p90).toBeCloseTo(0.75 * four.p90 + 0.25 * five.p90, 9)
    expect(demandOver(demand, 0.5).p50).toBeCloseTo(5, 6)
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

describe('the protection interval', () => {
  it('is lead time and review period, of which at most 90 days are forecast', () => {
    expect(protectionDays(14, 7)).toBe(21)
    expect(protectionDays(0, 0)).toBe(1)
    expect(protectionDays(120, 7)).toBe(127)
    expect([21, 90, 127].map(forecastDays)).toEqual([21, 90, 90])
  })
})
