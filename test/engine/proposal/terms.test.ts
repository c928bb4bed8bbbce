// The terms that a calculation shows only where they are used.
import { propose } from '../../../engine/proposal/index.ts'
import { normalQuantile } from '../inventory/normal.ts'
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

describe('the example of docs/guides/proposals.md', () => {
  // P50 95 and P90 140 over 21 days, the width growing with the root of time.
  const quantile = (days: number, level: number) => {
    const width = normalQuantile(level) * Math.sqrt(days / 21)
    return Math.round(Math.max(0, (95 * days) / 21 + (width < 0 ? 35 : 45) * (width / 1.28155)))
  }
  const forecast = {
    quantile,
    at: (days: number) => ({
      p10: quantile(days, 0.1),
      p50: quantile(days, 0.5),
      p90: quantile(days, 0.9),
    }),
  }
  const policy = { target: { stockoutRate: 0.4, carryingRate: 0.25 } }

  it('comes out as printed', () => {
    const result = propose(
      input({
        forecast,
        position: {
          backorders: 6,
          receipts: [
            { date: '2026-11-28', quantity: 20 },
            { date: '2027-01-15', quantity: 60 },
          ],
        },
        planning: { leadTimeDeviationDays: 4, maximumStock: 210 },
        policy,
      }),
    )
    expect(result).toMatchObject({
      quantity: 120,
      urgency: 'stockout_before_arrival',
      orderBy: '2026-11-20',
      calculation: {
        p10: 60,
        targetQuantile: 0.9,
        targetStock: 140,
        leadTimeSafety: 7,
        backorders: 6,
        onOrder: 20,
        onOrderLater: 60,
        netRequirement: 121,
        limit: 124,
      },
      drivers: ['low_stock', 'lead_time_demand', 'safety_stock', 'pack_rounding', 'max_stock_cap'],
      rationale:
        'Expected demand (P50) is 95 over the next 21 days; 12 on hand and 20 on order do not ' +
        'cover that and are 121 short of the target of 140 (P90) plus 7 for an uncertain lead time ' +
        'and 6 on backorder; supplier lead time 14 days ± 4; cut to 120 for the maximum stock ' +
        'of 210.',
    })
  })

  it('covers 127 days as printed', () => {
    const calculation = calculate({ forecast, planning: { leadTimeDays: 120 }, policy })
    expect(calculation).toMatchObject({ p50: 407, targetStock: 474, beyondHorizon: 180 })
  })
})

describe('receipts by date', () => {
  const receipts = [
    { date: '2026-11-10', quantity: 5 },
    { date: '2026-12-10', quantity: 15 },
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
          position: { onHand: 50, receipts: [{ date, quantity: 100 }] },
        }),
      )
      return result.kind === 'order' ? [result.urgency, result.orderBy] : result.kind
    }
    expect(at('2026-11-25')).toEqual(['due', '2026-11-21'])
    expect(at('2026-11-26')).toEqual(['stockout_before_arrival', '2026-11-20'])
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
