// The level that is chosen, against the cheapest one that trying all of them finds.
import { countsOf } from '../../../engine/forecast/counts.ts'
import type { DemandForecast } from '../../../engine/inventory/demand.ts'
import { demandOverLeadTime } from '../../../engine/inventory/lead-time.ts'
import { orderUpTo } from '../../../engine/inventory/order-up-to.ts'
import { clampTarget, targetByCosts } from '../../../engine/inventory/service-target.ts'
import {
  demandDistribution,
  EMPTY_CONTEXT,
  forecastPair,
  toEpochDay,
} from '../../../engine/index.ts'
import { daily, noise, until } from '../forecast/demand.ts'
import { countDemand, gammaDemand, type TextbookDemand } from '../textbook-distributions.ts'
import { demandFrom } from './normal.ts'

const CARRYING = 0.25
const REVIEW = 7

/** A forecast that knows the demand exactly. */
const forecastOf = (demand: TextbookDemand): DemandForecast =>
  demandFrom((days) => ({
    p10: demand.smoothQuantile(days, 0.1),
    p50: demand.smoothQuantile(days, 0.5),
    p90: demand.smoothQuantile(days, 0.9),
    tail: 1,
  }))

/** The same of counts with a mean a day and a variance so many times the mean, as rare demand is known. */
const rareForecast = (perDay: number, varianceToMean: number): DemandForecast => {
  const demand = countDemand(perDay, varianceToMean)
  return demandFrom((days) => {
    const mean = perDay * days
    const counts = countsOf({ mean, variance: mean * varianceToMean, pack: 1 })
    const whole = forecastOf(demand).distribution(days)
    return counts ? { ...whole, counts } : whole
  })
}

/** `ratio`: the cost of a unit short over that of carrying one for a review period. */
const stockoutRate = (ratio: number) => (ratio * CARRYING * REVIEW) / 365

/** What the engine says. */
function chosen(
  demand: TextbookDemand,
  leadTimeDays: number,
  ratio: number,
  batch = 1,
  forecast = forecastOf(demand),
) {
  const leadTime = { meanDays: leadTimeDays, deviationDays: 0 }
  const level = targetByCosts(
    { stockoutRate: stockoutRate(ratio), carryingRate: CARRYING },
    {
      untilArrival: demandOverLeadTime(forecast, leadTime, 0),
      untilNext: demandOverLeadTime(forecast, leadTime, REVIEW),
      days: REVIEW,
      protectionDays: leadTimeDays + REVIEW,
      batch,
    },
  )
  const days = leadTimeDays + REVIEW
  const { targetStock, beyondHorizon } = orderUpTo(
    forecast,
    { leadTime, reviewDays: REVIEW, days },
    level,
  )
  return { level, units: targetStock + beyondHorizon }
}

/**
 * Cost of a review period by the definition: what lies on the shelf at the end of each of its days, and what gets
 * short within it. An order is placed below `units` and raises the position to units..units + batch − 1, each as often.
 */
function costOf(demand: TextbookDemand, leadTimeDays: number, ratio: number, batch = 1) {
  const single = (position: number) => {
    let shelf = 0
    for (let day = 1; day <= REVIEW; day++) {
      const until = leadTimeDays + day
      shelf += position - demand.mean(until) + demand.shortage(until, position)
    }
    const short =
      demand.shortage(leadTimeDays + REVIEW, position) - demand.shortage(leadTimeDays, position)
    return (shelf * CARRYING) / 365 + stockoutRate(ratio) * short
  }
  const known = new Map<number, number>()
  const cycle = (position: number) => {
    const cost = known.get(position) ?? single(position)
    known.set(position, cost)
    return cost
  }
  return (units: number) => {
    let sum = 0
    for (let position = units; position < units + batch; position++) sum += cycle(position)
    return sum / batch
  }
}

/** The cheapest of all whole numbers; the cost falls up to it and rises after it. */
function cheapest(cost: (units: number) => number, from: number, to: number) {
  let best = { units: from, cost: Infinity }
  for (let units = from; units <= to; units++) {
    const at = cost(units)
    if (at < best.cost) best = { units, cost: at }
  }
  return best
}

const STEADY: [string, TextbookDemand][] = [
  ['Poisson .3 a day', countDemand(0.3, 1)],
  ['Poisson 1', countDemand(1, 1)],
  ['Poisson 3', countDemand(3, 1)],
  ['negative binomial .2, variance 3 times the mean', countDemand(0.2, 3)],
  ['negative binomial 1, variance 4 times the mean', countDemand(1, 4)],
  ['negative binomial 3, variance 8 times the mean', countDemand(3, 8)],
  ['negative binomial 2, variance 20 times the mean', countDemand(2, 20)],
  ['gamma 2, deviation half the mean of a day', gammaDemand(2, 0.5)],
  ['gamma 2, deviation the mean', gammaDemand(2, 1)],
  ['gamma 1, deviation twice the mean', gammaDemand(1, 2)],
  ['gamma 1, deviation 4 times the mean', gammaDemand(1, 4)],
]
/** Units a day, variance over mean. */
const RARE: [number, number][] = [
  [0.02, 1],
  [0.02, 3],
  [0.05, 1],
  [0.05, 3],
  [0.1, 1],
  [0.1, 3],
  [0.2, 1],
  [0.05, 10],
  [0.1, 10],
]

interface Comparison {
  /** Cost over that of the cheapest whole number. */
  excess: number
  median: number
  /** Whether the cheapest is one of P50..P99, which is all that may be chosen. */
  isWithinReach: boolean
}

function compare(
  demand: TextbookDemand,
  leadTime: number,
  ratio: number,
  batch = 1,
  forecast?: DemandForecast,
): Comparison {
  const days = leadTime + REVIEW
  const cost = costOf(demand, leadTime, ratio, batch)
  const median = demand.quantile(days, 0.5)
  const best = cheapest(cost, -batch, demand.quantile(days, 0.999) + 2)
  return {
    excess: cost(chosen(demand, leadTime, ratio, batch, forecast).units) / best.cost - 1,
    median,
    isWithinReach: best.units >= median && demand.cdf(days, best.units) <= 0.99,
  }
}

/** Costs of a unit short, in those of carrying one for a review period: P80, P95 and P99 for a short lead time. */
const RATIOS = [4, 19, 83]

describe('the service target by costs', () => {
  it.each(STEADY)(
    'costs next to nothing more than the cheapest level: %s, single units',
    (_, demand) => {
      let compared = 0
      for (const leadTime of [7, 28, 90, 180])
        for (const ratio of RATIOS) {
          const { excess, median, isWithinReach } = compare(demand, leadTime, ratio)
          if (!isWithinReach) continue
          compared++
          expect(excess).toBeLessThan(median > 10 ? 0.03 : 0.05)
        }
      expect(compared).toBeGreaterThanOrEqual(6)
    },
  )

  it.each(STEADY)('does so for lots, against the (R,nQ) system: %s', (_, demand) => {
    let compared = 0
    for (const leadTime of [7, 28])
      for (const ratio of RATIOS)
        for (const batch of [4, 10, 25]) {
          const { excess, median, isWithinReach } = compare(demand, leadTime, ratio, batch)
          if (!isWithinReach) continue
          compared++
          expect(excess).toBeLessThan(median > 10 ? 0.03 : 0.05)
        }
    expect(compared).toBeGreaterThanOrEqual(4)
  })

  it.each(RARE)(
    'does so where a sale is rare: %s a day, variance %s times the mean',
    (perDay, ratioOfVariance) => {
      const demand = countDemand(perDay, ratioOfVariance)
      const forecast = rareForecast(perDay, ratioOfVariance)
      let compared = 0
      for (const leadTime of [7, 28, 90, 180])
        for (const ratio of RATIOS) {
          const { excess, isWithinReach } = compare(demand, leadTime, ratio, 1, forecast)
          if (!isWithinReach) continue
          compared++
          expect(excess).toBeLessThan(0.05)
        }
      expect(compared).toBeGreaterThanOrEqual(4)
    },
  )

  it('does so where a rate of .05 a day is learnt from 900 days, in the mean of 30 histories', () => {
    const demand = countDemand(0.05, 1)
    const asOf = toEpochDay('2026-11-20')
    const forecasts = Array.from({ length: 30 }, (_, seed) => {
      const random = noise(seed + 1)
      const history = until(
        asOf,
        daily(900, () => demand.quantile(1, random())),
      )
      const model = forecastPair(history, asOf, EMPTY_CONTEXT)
      return demandFrom((days) => demandDistribution(model, days))
    })
    for (const leadTime of [7, 14, 28])
      for (const ratio of [4, 19]) {
        const all = forecasts.map((each) => compare(demand, leadTime, ratio, 1, each))
        if (!all[0]!.isWithinReach) continue
        expect(all.reduce((sum, { excess }) => sum + excess, 0) / all.length).toBeLessThan(0.05)
      }
  })

  it('is P50 where a stockout costs no more than carrying', () => {
    for (const [, demand] of STEADY)
      for (const ratio of [0, 0.5, 1]) expect(chosen(demand, 14, ratio).level).toBe(0.5)
  })

  it('is the same for a demand in grams as in tons', () => {
    const quantities = { p10: 6e9, p50: 7e9, p90: 8e9, tail: 1.2 }
    const scaled = (share: number) => {
      const distribution = (days: number) => ({
        ...{ p10: (quantities.p10 * share * days) / 21, p50: (quantities.p50 * share * days) / 21 },
        ...{ p90: (quantities.p90 * share * days) / 21, tail: quantities.tail },
      })
      return chosen(gammaDemand(2, 1), 14, 9, 1, { at: distribution, distribution }).level
    }
    expect(scaled(1)).toBeCloseTo(scaled(1e-5), 1)
  })

  it('goes up to P99 and no further', () => {
    expect(chosen(countDemand(3, 1), 14, 5000).level).toBe(0.99)
    expect(chosen(gammaDemand(2, 1), 180, 5000).level).toBe(0.99)
  })

  it('rises with the cost of a stockout, and falls with the lot and with the lead time', () => {
    const demand = countDemand(1, 4)
    const levels = (each: (value: number) => number, values: number[]) => values.map(each)
    const ascending = (some: number[]) => some.toSorted((a, b) => a - b)
    const byRatio = levels((ratio) => chosen(demand, 14, ratio).level, [1, 2, 4, 9, 19, 49, 99])
    expect(byRatio).toEqual(ascending(byRatio))
    expect(new Set(byRatio).size).toBeGreaterThan(5)
    const byLot = levels((lot) => chosen(demand, 14, 19, lot).level, [60, 30, 15, 7, 3, 1])
    expect(byLot).toEqual(ascending(byLot))
    const byLeadTime = levels((days) => chosen(demand, days, 19).level, [180, 120, 60, 30, 7])
    expect(byLeadTime).toEqual(ascending(byLeadTime))
  })

  it('is nearly the newsvendor without a lead time', () => {
    // Nothing is short before the order arrives. The unit lies there from the first day, when demand was nothing, to
    // the last: B·(1 − F) = h·(1 + F) / 2, so F = (2B − h) / (2B + h).
    const demand = gammaDemand(20, 1)
    expect(chosen(demand, 0, 4).level).toBeCloseTo(7 / 9, 1)
    expect(chosen(demand, 0, 19).level).toBeCloseTo(37 / 39, 1)
    expect(Math.abs(chosen(demand, 0, 19).level - 37 / 39)).toBeLessThan(0.011)
  })
})

describe('the service target where unmet demand is lost', () => {
  const target = (stockout: number, carryingRate: number, leadTimeDays: number, batch = 1) => {
    const demand = forecastOf(countDemand(1, 4))
    const leadTime = { meanDays: leadTimeDays, deviationDays: 0 }
    return targetByCosts(
      { stockoutRate: stockout, carryingRate, unmetDemand: 'lost' },
      {
        untilArrival: demandOverLeadTime(demand, leadTime, 0),
        untilNext: demandOverLeadTime(demand, leadTime, REVIEW),
        days: REVIEW,
        protectionDays: leadTimeDays + REVIEW,
        batch,
      },
    )
  }

  it('is the critical ratio, a unit left over being kept for the whole protection interval', () => {
    // 0.73 a year is 0.014 in 7 days, 0.042 in 21: 0.042 / 0.084, 0.126 / 0.168, 0.4 / 0.442
    expect(target(0.042, 0.73, 14)).toBe(0.5)
    expect(target(0.126, 0.73, 14)).toBe(0.75)
    expect(target(0.4, 0.73, 14)).toBe(0.9)
    // 0.0048 · 3: 0.4 / (0.4 + 0.0144)
    expect(target(0.4, 0.25, 14)).toBe(0.97)
  })

  it('is lower for batches, which cover on the mean of their units what it says', () => {
    const levels = [1, 2, 6, 12].map((batch) => target(0.126, 0.73, 14, batch))
    expect(levels).toEqual(levels.toSorted((a, b) => b - a))
    expect(levels.at(-1)).toBeLessThan(0.7)
  })

  it('is kept to P50..P99, and P50 where a stockout costs no more than carrying', () => {
    expect(target(0.014, 0.73, 14)).toBe(0.5)
    expect(target(0.02, 0.73, 180)).toBe(0.5)
    expect(target(500, 0.25, 14)).toBe(0.99)
    expect(target(0, 0, 14)).toBe(0.5)
  })
})

describe('a target that a rule names', () => {
  it('is kept to P50..P99, in hundredths', () => {
    expect([0, 0.2, 0.5, 0.777, 0.9, 0.975, 0.99, 1].map(clampTarget)).toEqual([
      0.5, 0.5, 0.5, 0.78, 0.9, 0.98, 0.99, 0.99,
    ])
  })
})
