// The worked examples of docs/guides/proposals.md, redone by hand.
import { readFileSync } from 'node:fs'
import { propose } from '../../../engine/proposal/index.ts'
import { demandFrom, normalQuantile } from '../inventory/normal.ts'
import { calculate } from './calculate.ts'
import { input } from './input.ts'

/** The proposals that the guide prints, by their names here. */
function printedExamples(): Record<string, unknown>[] {
  const guide = readFileSync(new URL('../../../docs/guides/proposals.md', import.meta.url), 'utf8')
  /** A name of /v1 as the engine has it. */
  const toCamel = (name: string) =>
    name
      .replace(/^from_quantity$/, 'from')
      .replace(/_([a-z0-9])/g, (_, first: string) => first.toUpperCase())
  const inCamel = (_: string, value: unknown): unknown => {
    if (typeof value === 'string' && /^\d+\.\d+$/.test(value)) return Number(value)
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [toCamel(name), one as unknown]),
    )
  }
  return [...guide.matchAll(/^```json\n([^]*?)^```$/gm)].map(
    ([, json]) => JSON.parse(json!, inCamel) as Record<string, unknown>,
  )
}

type Forecast21 = readonly [p10: number, p50: number, p90: number]

/** P50 and P90 of so many days: the median at its rate, the width with the root of time. */
const overDays = ([, p50, p90]: Forecast21, days: number) => {
  const median = (p50 * days) / 21
  return { median, high: median + (p90 - p50) * Math.sqrt(days / 21) }
}

/** By hand: the fourth root is normal, 1.2 times as wide above P90. For levels above the median. */
function quantileByHand(forecast: Forecast21, days: number, level: number): number {
  const { median, high } = overDays(forecast, days)
  const [z, z90] = [normalQuantile(level), normalQuantile(0.9)]
  const step = (high ** 0.25 - median ** 0.25) / z90
  return (median ** 0.25 + step * (z > z90 ? z90 + 1.2 * (z - z90) : z)) ** 4
}

/** By hand, the textbook's: √(forecast's variance + (demand a day · deviation of the lead time)²). */
function leadTimeSafetyByHand(
  forecast: Forecast21,
  days: number,
  deviationDays: number,
  level: number,
): number {
  const { median } = overDays(forecast, days)
  const z = normalQuantile(level)
  const ofForecast = (quantileByHand(forecast, days, level) - median) / z
  const ofLeadTime = (median / days) * deviationDays
  return z * (Math.hypot(ofForecast, ofLeadTime) - ofForecast)
}

const EVENLY = Array.from({ length: 100 }, (_, i) => (i + 0.5) / 100)

/** Demands that are as likely each, until an order arrives and until the one after it does. */
function drawDemands(forecast: Forecast21, leadTime: number, deviation: number) {
  const draw = (days: number, level: number) => {
    if (level > 0.5) return quantileByHand(forecast, days, level)
    const { median } = overDays(forecast, days)
    const low = median - (forecast[1] - forecast[0]) * Math.sqrt(days / 21)
    const step = (median ** 0.25 - low ** 0.25) / normalQuantile(0.9)
    return Math.max(0, median ** 0.25 + step * normalQuantile(level)) ** 4
  }
  const leadTimes = EVENLY.map((level) => leadTime + deviation * normalQuantile(level))
  const over = (days: number) => EVENLY.map((level) => draw(days, level))
  return {
    untilArrival: leadTimes.flatMap((days) => over(days)),
    untilNext: leadTimes.flatMap((days) => over(days + 7)),
  }
}

/**
 * What a target costs in a review period: the shelf at its start and end, and what gets short in between. The position
 * is raised to target..target + lot, each as often.
 */
function costByHand(demands: ReturnType<typeof drawDemands>, target: number, lot: number): number {
  let cost = 0
  for (let position = target; position < target + lot; position += lot / 10) {
    const mean = (some: number[], of: (demand: number) => number) =>
      some.reduce((sum, demand) => sum + Math.max(0, of(demand)), 0) / some.length
    const shelf = (some: number[]) => mean(some, (demand) => position - demand)
    const short = (some: number[]) => mean(some, (demand) => demand - position)
    const { untilArrival, untilNext } = demands
    cost += ((shelf(untilArrival) + shelf(untilNext)) / 2) * ((0.25 * 7) / 365)
    cost += 0.4 * (short(untilNext) - short(untilArrival))
  }
  return cost / 10
}

describe('the examples of docs/guides/proposals.md', () => {
  const [usual, longLeadTime, lateReceipt, customers, priceBreak] = printedExamples()
  const usualDemand = [60, 95, 140] as const
  const lateDemand = [170, 210, 250] as const

  const forecastOf = (over21: Forecast21) =>
    demandFrom((days) => {
      const { median, high } = overDays(over21, days)
      const p10 = median - (over21[1] - over21[0]) * Math.sqrt(days / 21)
      return { p10: Math.max(0, p10), p50: median, p90: high, tail: 1.2 }
    })
  const policy = { target: { stockoutRate: 0.4, carryingRate: 0.25 } }

  const usualInput = input({
    forecast: forecastOf(usualDemand),
    position: {
      backorders: 6,
      receipts: [
        { date: '2026-11-28', quantity: 20 },
        { date: '2027-01-15', quantity: 60 },
      ],
    },
    planning: { leadTimeDeviationDays: 4, maximumStock: 210 },
    policy,
  })
  const longInput = input({
    forecast: forecastOf(usualDemand),
    position: { onHand: 400, receipts: [{ date: '2027-01-15', quantity: 200 }] },
    planning: { leadTimeDays: 120, leadTimeDeviationDays: 15 },
    policy: { target: { quantile: 0.95 } },
  })
  const lateInput = input({
    forecast: forecastOf(lateDemand),
    position: { onHand: 60, receipts: [{ date: '2026-12-10', quantity: 200 }] },
    planning: { moq: 20, lotSize: 20 },
    policy,
  })

  const customersInput = input({
    forecast: forecastOf(lateDemand),
    position: {
      ...{ onHand: 60, onOrder: 0, inInspection: 40 },
      customerOrders: [
        { date: '2026-11-18', quantity: 25 },
        { date: '2026-11-27', quantity: 150 },
        { date: '2026-12-04', quantity: 30 },
      ],
    },
    planning: { moq: 20, lotSize: 20 },
    policy,
  })

  const priceBreakInput = input({
    forecast: forecastOf(lateDemand),
    position: { onHand: 60, onOrder: 0 },
    planning: {
      ...{ moq: 20, lotSize: 20, unitCost: 2.1 },
      priceBreaks: [
        { from: 300, unitCost: 1.95 },
        { from: 900, unitCost: 1.94 },
      ],
    },
    policy,
  })

  it.each([
    ['the usual one', usualInput, usual],
    ['a long lead time', longInput, longLeadTime],
    ['a receipt that comes too late', lateInput, lateReceipt],
    ['customers who have ordered', customersInput, customers],
    ['a price break', priceBreakInput, priceBreak],
  ])('come out as printed: %s', (_, asked, printed) => {
    expect(propose(asked)).toMatchObject(printed!)
  })

  it('have the service target that costs least, to a hundredth of the cost', () => {
    for (const [demand, lot, deviation, asked] of [
      [usualDemand, 40, 4, usualInput],
      [lateDemand, 20, 0, lateInput],
    ] as const) {
      const { targetStock, leadTimeSafety = 0 } = calculate(asked)
      const demands = drawDemands(demand, 14, deviation)
      const cost = (target: number) => costByHand(demands, target, lot)
      const chosen = targetStock + leadTimeSafety
      const others = [-40, -30, -20, -10, -5, 5, 10, 20, 30].map((more) => cost(chosen + more))
      expect(cost(chosen)).toBeLessThan(1.01 * Math.min(...others))
    }
  })

  it('can be redone by hand: the usual one', () => {
    const { targetStock, leadTimeSafety, targetQuantile } = calculate(usualInput)
    expect(targetStock).toBe(Math.round(quantileByHand(usualDemand, 21, targetQuantile)))
    const byHand = leadTimeSafetyByHand(usualDemand, 21, 4, targetQuantile)
    expect(Math.abs(leadTimeSafety! - byHand)).toBeLessThan(4)
  })

  it('can be redone by hand: a long lead time', () => {
    const { targetStock, beyondHorizon, leadTimeSafety } = calculate(longInput)
    const [in90, in127] = [90, 127].map((days) =>
      Math.round(quantileByHand(usualDemand, days, 0.95)),
    )
    expect(targetStock).toBe(in90)
    expect(beyondHorizon).toBe(in127! - in90!)
    const byHand = leadTimeSafetyByHand(usualDemand, 127, 15, 0.95)
    expect(Math.abs(leadTimeSafety! - byHand)).toBeLessThan(8)
  })

  it('can be redone by hand: a receipt that comes too late', () => {
    const { targetStock, coveredLater, targetQuantile } = calculate(lateInput)
    const [in20, in21] = [20, 21].map((days) =>
      Math.round(quantileByHand(lateDemand, days, targetQuantile)),
    )
    expect(targetStock).toBe(in21)
    expect(coveredLater).toBe(in21! - in20!)
  })

  it('can be redone by hand: customers who have ordered', () => {
    const sum = calculate(customersInput)
    expect(sum.targetStock).toBe(Math.round(quantileByHand(lateDemand, 21, sum.targetQuantile)))
    const expected = (days: number) => Math.round(overDays(lateDemand, days).median)
    expect([expected(8), expected(15)]).toEqual([80, 150])
    const reserved = Math.max(150 - expected(8), 150 + 30 - expected(15))
    expect(sum).toMatchObject({ backorders: 25, reserved, inInspection: 40 })
    expect(sum.netRequirement).toBe(sum.targetStock + 25 + reserved - 60 - 40)
    expect(sum.rationale).toContain(
      '60 on hand, 0 on order and 40 in inspection do not cover that and are 277 short of the target of 282 (P98) plus 25 on backorder and 70 reserved beyond the forecast;',
    )
  })
})

describe('the price break of docs/guides/proposals.md', () => {
  // Ten a day: the u-th unit beyond what is there is wanted u / 10 days after the protection interval.
  const ofBreak = (from: number, price: number) => {
    const added = from - 240
    const days = (18 + added / 2) / 10
    const carrying = (added * price * 0.25 * days) / 365
    return { days, carrying, saving: from * (2.1 - price), unit: price + carrying / from }
  }
  const cents = (money: number) => Number(money.toFixed(2))

  it('can be redone by hand', () => {
    const [first, second] = [ofBreak(300, 1.95), ofBreak(900, 1.94)]
    expect([first.days, cents(first.carrying), cents(first.saving)]).toEqual([4.8, 0.38, 45])
    expect([second.days, cents(second.carrying), cents(second.saving)]).toEqual([34.8, 30.52, 144])
    expect([first.unit, second.unit].map((cost) => cost.toFixed(3))).toEqual(['1.951', '1.974'])
  })
})
