import { propose } from '../../../engine/proposal/index.ts'
import { calculate } from './calculate.ts'
import { input, steadyDemand, type Overrides } from './input.ts'

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

  it('is that a cost of 0 is none', () => {
    const of = (unitCost: number) => propose(input({ planning: { unitCost } }))
    expect(of(0)).toMatchObject({
      calculation: {
        exceptions: [{ code: 'no_cost', message: expect.stringContaining('a unit cost of 0,') }],
      },
    })
    expect(of(0.0001)).not.toHaveProperty('calculation.exceptions')
  })
})
