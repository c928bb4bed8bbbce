// The terms that a calculation shows only where they are used.
import { readFileSync } from 'node:fs'
import { propose, riskOf } from '../../../engine/proposal/index.ts'
import { demandFrom, normalQuantile } from '../inventory/normal.ts'
import { input, steadyDemand } from './input.ts'
import type { Overrides } from './input.ts'

function calculate(overrides: Overrides = {}) {
  const result = propose(input(overrides))
  if (result.kind === 'blocked') throw new Error('blocked')
  return {
    ...result.calculation,
    codes: result.calculation.exceptions?.map(({ code }) => code),
    rationale: result.kind === 'order' ? result.rationale : null,
  }
}

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

describe('receipts by date', () => {
  const receipts = [
    { date: '2026-11-10', quantity: 5 },
    { date: '2026-12-04', quantity: 15 },
    { date: '2026-12-11', quantity: 500 },
    { date: null, quantity: 1 },
  ]

  it('count where they are overdue, undated or due within the interval, and apart where later', () => {
    const calculation = calculate({ position: { onOrder: 999, receipts } })
    expect(calculation).toMatchObject({ onOrder: 21, onOrderLater: 500, netRequirement: 107 })
    expect(calculation.codes).toEqual(['late_receipts'])
  })

  it('are nothing where there are none', () => {
    expect(calculate({ position: { receipts: [] } })).toMatchObject({ onOrder: 0 })
    expect(calculate({ position: { receipts: null } })).toMatchObject({ onOrder: 20 })
  })

  it('have a date that is one', () => {
    const receipt = { date: 'soon', quantity: 5 }
    expect(() => calculate({ position: { receipts: [receipt] } })).toThrow(RangeError)
  })

  it('make an order urgent that comes too late for a gap before them', () => {
    const at = (date: string) => {
      const result = propose(
        input({
          forecast: steadyDemand(10),
          position: { onHand: 50, receipts: [{ date, quantity: 200 }] },
        }),
      )
      return result.kind === 'order' ? [result.urgency, result.orderBy] : result.kind
    }
    // P90 14 a day: 250 last 17 days, so an order of the third day from now is in time.
    expect(at('2026-11-25')).toEqual(['due', '2026-11-23'])
    // No order helps in the gap, but the buyer should know of it.
    expect(at('2026-11-26')).toEqual(['stockout_before_arrival', '2026-11-23'])
  })
})

describe('a receipt after the shelf would be empty', () => {
  // Ten a day, P90 12 a day; 60 on hand, 200 on the 20th day of 21.
  const at = (date: string, quantile = 0.5, position = {}) =>
    calculate({
      forecast: steadyDemand(10, 0.25),
      position: { onHand: 60, receipts: [{ date, quantity: 200 }], ...position },
      planning: { moq: 1, lotSize: 1 },
      policy: { target: { quantile } },
    })

  it('leaves an order to cover the days until then, and no further ones', () => {
    expect(at('2026-12-10')).toMatchObject({
      targetStock: 210,
      coveredLater: 10,
      onOrder: 0,
      onOrderLater: 200,
      netRequirement: 140,
      quantity: 140,
      codes: ['late_receipts'],
    })
  })

  it('adds the safety of those days', () => {
    expect(at('2026-12-10', 0.9)).toMatchObject({
      targetStock: 252,
      coveredLater: 12,
      netRequirement: 180,
    })
  })

  it('counts where it comes before an order could, and in full', () => {
    // On the 14th day, and one later: 150 until then, of which 60 are there.
    expect(at('2026-12-04')).toMatchObject({ onOrder: 200, netRequirement: 0 })
    expect(at('2026-12-05')).toMatchObject({ onOrder: 0, coveredLater: 60, netRequirement: 90 })
  })

  it('changes nothing where more is short at the end', () => {
    const calculation = at('2026-12-10', 0.5, {
      receipts: [{ date: '2026-12-10', quantity: 9 }],
    })
    expect(calculation).toMatchObject({ onOrder: 9, netRequirement: 141 })
    expect(calculation).not.toHaveProperty('coveredLater')
  })

  it('is said in the rationale', () => {
    expect(at('2026-12-10').rationale).toContain(
      '140 short of the target of 210 (P50) less 10 that later receipts cover;',
    )
  })
})

describe('an overdue receipt', () => {
  const stockoutDay = (
    onHand: number,
    leadTimeDays: number,
    quantity = 1000,
    lateDays: number | null = null,
  ) =>
    riskOf(
      input({
        forecast: steadyDemand(10),
        position: { onHand, receipts: [{ date: '2026-11-10', quantity }] },
        planning: {
          leadTimeDays,
          measuredLeadTime: {
            ...{ of: 'sku', days: 14, deviationDays: 3, receipts: 9, shareLate: 0.5, lateDays },
          },
        },
      }),
      0,
    )!.stockoutDay

  it('is expected in 7 days', () => {
    expect([60, 69].map((onHand) => stockoutDay(onHand, 14))).toEqual(['2026-11-26', '2026-11-26'])
    // 70 last until it comes: 170 in all.
    expect(stockoutDay(70, 14, 100)).toBe('2026-12-07')
  })

  it('is expected in a lead time where that is shorter', () => {
    expect(stockoutDay(29, 3)).toBe('2026-11-22')
    expect(stockoutDay(30, 3, 100)).toBe('2026-12-03')
    expect(stockoutDay(0, 0, 100)).toBe('2026-11-30')
  })

  it("is expected when the supplier's late orders usually come", () => {
    // 10 days late already, of usually 15: in 5 days.
    expect(stockoutDay(49, 14, 100, 15)).toBe('2026-11-24')
    expect(stockoutDay(50, 14, 100, 15)).toBe('2026-12-05')
    // Later than usual already: in 7 days.
    expect(stockoutDay(69, 14, 1000, 8)).toBe('2026-11-26')
    expect(stockoutDay(70, 14, 100, 8)).toBe('2026-12-07')
  })

  it('is given up after 90 days', () => {
    const at = (date: string) => calculate({ position: { receipts: [{ date, quantity: 20 }] } })
    expect(at('2026-08-22')).toMatchObject({ onOrder: 20, netRequirement: 108 })
    expect(at('2026-08-21')).toMatchObject({ onOrder: 0, netRequirement: 128 })
    expect(at('2026-08-21')).not.toHaveProperty('onOrderLater')
  })
})

describe('backorders', () => {
  it('are added to what is missing, and leave the shelf empty', () => {
    const calculation = calculate({ position: { backorders: 12 } })
    expect(calculation).toMatchObject({ backorders: 12, netRequirement: 120, quantity: 120 })
    expect(calculation.rationale).toContain('of 140 (P90) plus 12 on backorder;')
    expect(propose(input({ position: { backorders: 12 } }))).toMatchObject({
      urgency: 'stocked_out',
      orderBy: '2026-11-20',
    })
  })

  it('are named as a driver where they move the quantity', () => {
    expect(calculate({ position: { backorders: 30 } }).drivers).toContain('backorders')
  })
})

describe('customer orders', () => {
  const sum = (customerOrders: { date: string | null; quantity: number }[], more: Overrides = {}) =>
    calculate({ ...more, position: { ...more.position, customerOrders } })
  const before = calculate()
  /** P50 of the 11 days until the end of 30 November, and of the 21 until that of 10 December. */
  const [tenth, twentieth] = [50, 95]

  it('that are due today or were before, or have no date, are backorders', () => {
    const due = [
      { date: '2026-11-02', quantity: 4 },
      { date: '2026-11-20', quantity: 5 },
      { date: null, quantity: 3 },
    ]
    const calculation = sum(due)
    expect(calculation).toMatchObject({
      backorders: 12,
      netRequirement: before.netRequirement + 12,
    })
    expect(calculation).not.toHaveProperty('reserved')
    expect(sum(due, { position: { backorders: 2 } })).toMatchObject({ backorders: 14 })
  })

  it('count once: those that the forecast expects until their day change nothing', () => {
    expect(sum([{ date: '2026-11-30', quantity: tenth }])).toEqual(before)
    const beyond = sum([{ date: '2026-11-30', quantity: tenth + 30 }])
    expect(beyond).toMatchObject({ reserved: 30, netRequirement: before.netRequirement + 30 })
    expect(beyond.rationale).toContain(' plus 30 reserved beyond the forecast;')
    expect(beyond.drivers).toContain('reserved')
  })

  it('are taken together, each until its day', () => {
    const orders = [
      { date: '2026-12-10', quantity: twentieth - tenth + 2 },
      { date: '2026-11-30', quantity: tenth + 30 },
    ]
    expect(sum(orders)).toMatchObject({ reserved: 32 })
  })

  it('do not count after the protection interval, nor beyond a year', () => {
    expect(sum([{ date: '2026-12-11', quantity: 500 }])).toEqual(before)
    expect(sum([{ date: '2025-11-19', quantity: 500 }])).toEqual(before)
    expect(sum([{ date: '2025-11-20', quantity: 500 }])).toMatchObject({ backorders: 500 })
  })

  it('empty the shelf on their day, and a receipt is wanted before', () => {
    const risk = (quantity: number) =>
      riskOf(
        input({
          position: { onHand: 300, customerOrders: [{ date: '2026-11-25', quantity }] },
        }),
        0,
      )!.stockoutDay
    expect(risk(0) === null || risk(0)! > '2026-11-25').toBe(true)
    expect(risk(400)).toBe('2026-11-25')
  })
})

describe('stock in inspection', () => {
  it('is supply in seven days, or in a lead time where that is shorter', () => {
    const calculation = calculate({ position: { inInspection: 20 } })
    const before = calculate()
    expect(calculation).toMatchObject({
      inInspection: 20,
      netRequirement: before.netRequirement - 20,
    })
    expect(calculation.rationale).toContain('20 in inspection')
    const out = (leadTimeDays: number) =>
      riskOf(
        input({
          position: { onHand: 0, onOrder: 0, inInspection: 900 },
          planning: { leadTimeDays },
        }),
        0,
      )!
    expect(out(14).stockoutDay).toBe('2026-11-20')
    expect(out(0).stockoutDay! > '2026-12-20').toBe(true)
  })

  it('is named as a driver where it moves the quantity', () => {
    expect(calculate({ position: { inInspection: 60 } }).drivers).toContain('in_inspection')
  })
})

describe('what is reserved', () => {
  it('is added, and is not free today', () => {
    const calculation = calculate({ position: { reserved: 12 } })
    expect(calculation).toMatchObject({ reserved: 12, netRequirement: 120 })
    expect(propose(input({ position: { reserved: 12 } }))).toMatchObject({
      urgency: 'stocked_out',
    })
  })

  it('counts in full where it is overdue, and later beyond what the forecast and customers want', () => {
    const overdue = { date: '2026-11-18', quantity: 4 }
    expect(calculate({ position: { reservations: [overdue] } })).toMatchObject({ reserved: 4 })
    const [customerOrders, later] = [50, 30].map((quantity) => [{ date: '2026-11-30', quantity }])
    const position = { customerOrders: customerOrders!, reservations: [overdue, ...later!] }
    expect(calculate({ position })).toMatchObject({ reserved: 34, netRequirement: 142 })
    expect(calculate({ position: { reservations: later! } })).not.toHaveProperty('reserved')
  })
})

describe('an uncertain lead time', () => {
  it('adds its own term to the sum', () => {
    const calculation = calculate({ planning: { leadTimeDeviationDays: 7, moq: 1, lotSize: 1 } })
    const { leadTimeSafety = 0 } = calculation
    expect(leadTimeSafety).toBeGreaterThan(0)
    expect(calculation).toMatchObject({
      targetStock: 140,
      leadTimeDeviationDays: 7,
      netRequirement: 108 + leadTimeSafety,
    })
    expect(calculation.drivers).toContain('lead_time_uncertainty')
    expect(calculation.rationale).toContain(`plus ${leadTimeSafety} for an uncertain lead time;`)
    expect(calculation.rationale).toContain('supplier lead time 14 days ± 7')
  })
})

describe('limits', () => {
  it.each<[string, Overrides, number, string]>([
    ['maximum order', { planning: { maximumOrder: 100 } }, 80, 'max_order_cap'],
    ['maximum stock', { planning: { maximumStock: 151 } }, 80, 'max_stock_cap'],
    ['shelf life', { planning: { shelfLifeDays: 20 } }, 80, 'shelf_life_cap'],
  ])('cut an order to whole lots: %s', (what, overrides, quantity, driver) => {
    const calculation = calculate(overrides)
    expect(calculation).toMatchObject({ netRequirement: 108, quantity })
    expect(calculation.drivers).toContain(driver)
    expect(calculation.codes).toEqual(['capped_below_need'])
    expect(calculation.rationale).toContain(`cut to 80 for the ${what} of`)
  })

  it('leave nothing where less than the minimum order is left, and say so', () => {
    const calculation = calculate({ planning: { maximumOrder: 39 } })
    expect(calculation).toMatchObject({ quantity: 0, netRequirement: 108, limit: 39 })
    expect(calculation.exceptions).toEqual([
      {
        code: 'capped_below_moq',
        message:
          '108 are missing, but the limits leave 39, less than the minimum order quantity of 40.',
      },
    ])
  })

  it('count late receipts as stock to come', () => {
    const receipts = [{ date: '2027-03-01', quantity: 100 }]
    const calculation = calculate({ position: { receipts }, planning: { maximumStock: 200 } })
    expect(calculation).toMatchObject({ limit: 88, quantity: 80 })
  })

  it('that do not bind change nothing', () => {
    const calculation = calculate({ planning: { maximumOrder: 120, maximumStock: 1000 } })
    expect(calculation).toMatchObject({ quantity: 120, limit: 120 })
    expect(calculation.drivers).not.toContain('max_order_cap')
    expect(calculation.codes).toBeUndefined()
  })
})

describe('order days', () => {
  it('decide the review period and the day of the order', () => {
    // Friday; Mondays only: the order of the 23rd must last until that of the 30th arrives.
    const result = propose(
      input({
        forecast: steadyDemand(10),
        position: { onHand: 200, onOrder: 0 },
        planning: { orderDays: [1] },
      }),
    )
    expect(result).toMatchObject({
      calculation: { reviewPeriodDays: 10, horizonDays: 24 },
      urgency: 'due',
      orderBy: '2026-11-23',
    })
  })
})

describe('what is handed through', () => {
  it('are the rules that gave the values, and that no cost is known', () => {
    const rules = { lead_time: 'policy:sku A-100' }
    const result = propose({ ...input({ planning: { unitCost: null } }), rules })
    expect(result).toMatchObject({ calculation: { rules, exceptions: [{ code: 'no_cost' }] } })
  })
})
