import { propose } from '../../../engine/proposal/index.ts'
import { input, steadyDemand } from './input.ts'
import type { Overrides } from './input.ts'

function order(overrides: Overrides = {}) {
  const result = propose(input(overrides))
  if (result.kind !== 'order') throw new Error(`expected an order, not ${result.kind}`)
  return result
}

describe('a proposal', () => {
  it('shows every number of its sum', () => {
    expect(order().calculation).toEqual({
      horizonDays: 21,
      leadTimeDays: 14,
      reviewPeriodDays: 7,
      p10: 60,
      p50: 95,
      p90: 140,
      targetQuantile: 0.9,
      targetStock: 140,
      onHand: 12,
      onOrder: 20,
      openProposals: 0,
      netRequirement: 108,
      moq: 40,
      lotSize: 40,
      quantity: 120,
      drivers: ['low_stock', 'lead_time_demand', 'safety_stock', 'open_orders', 'pack_rounding'],
    })
  })

  it('orders whole units where stock is a fraction', () => {
    const { calculation, quantity } = order({
      position: { onHand: 12.3, onOrder: 0.4 },
      planning: { moq: null, lotSize: null },
    })
    expect(calculation).toMatchObject({ netRequirement: 127.3, moq: 1, lotSize: 1 })
    expect(quantity).toBe(128)
  })

  it('orders whole multiples of a fractional lot', () => {
    expect(order({ planning: { moq: 0.5, lotSize: 2.5 } }).quantity).toBe(110)
  })

  it('takes the review period of the policy where the ERP has none', () => {
    const { calculation } = order({ planning: { reviewPeriodDays: null } })
    expect(calculation).toMatchObject({ reviewPeriodDays: 7, horizonDays: 21 })
  })

  it('orders up to the median where a stockout costs no more than carrying', () => {
    const { calculation } = order({
      policy: { target: { stockoutRate: 0.001, carryingRate: 0.3 } },
    })
    expect(calculation).toMatchObject({ targetQuantile: 0.5, targetStock: 95 })
  })

  it('orders up to P90 where a stockout costs much more than carrying', () => {
    const { calculation } = order({ policy: { target: { stockoutRate: 0.3, carryingRate: 0.3 } } })
    expect(calculation).toMatchObject({ targetQuantile: 0.9, targetStock: 140 })
  })

  it('keeps a fixed quantile to P50..P90', () => {
    const target = (quantile: number) => order({ policy: { target: { quantile } } }).calculation
    expect(target(0.99)).toMatchObject({ targetQuantile: 0.9, targetStock: 140 })
    expect(target(0.2)).toMatchObject({ targetQuantile: 0.5, targetStock: 95 })
    expect(target(0.7)).toMatchObject({ targetQuantile: 0.7, targetStock: 118 })
  })

  it('covers what comes after 90 days by the rate of those days, and says so', () => {
    const { calculation, rationale } = order({ planning: { leadTimeDays: 120 } })
    // P50 407 and P90 600 over 90 days: 407/90 · 37 + (600 − 407) · (√(127/90) − 1) = 203.6
    expect(calculation).toMatchObject({
      horizonDays: 90,
      leadTimeDays: 120,
      p50: 407,
      targetStock: 600,
      beyondHorizon: 204,
      netRequirement: 600 + 204 - 32,
    })
    expect(calculation.drivers).toContain('beyond_horizon')
    expect(calculation.exceptions?.map(({ code }) => code)).toEqual([
      'beyond_horizon',
      'long_lead_time',
    ])
    expect(rationale).toContain('of 600 (P90) plus 204 for the 37 days after that;')
  })
})

describe('no proposal', () => {
  it('is made where the inventory position is at the target', () => {
    const result = propose(input({ position: { onHand: 140, onOrder: 0 } }))
    expect(result).toMatchObject({ kind: 'none', calculation: { netRequirement: 0, quantity: 0 } })
  })

  it('is made twice for the same need: open proposals are supply', () => {
    expect(propose(input({ position: { openProposals: 108 } })).kind).toBe('none')
  })

  it('is made without demand, even with an empty shelf', () => {
    const result = propose(
      input({ forecast: steadyDemand(0), position: { onHand: 0, onOrder: 0 } }),
    )
    expect(result.kind).toBe('none')
  })

  it.each<[string, Overrides]>([
    ['lead_time', { planning: { leadTimeDays: null } }],
    ['stock', { position: { onHand: null } }],
    ['supplier', { planning: { supplier: null }, policy: { supplierRequired: true } }],
    ['unit_conversion', { planning: { lotSize: 0.333 } }],
  ])('is guessed where the %s is missing', (missing, overrides) => {
    const result = propose(input(overrides))
    expect(result).toMatchObject({ kind: 'blocked', missing: [{ missing }] })
  })

  it('names everything that is missing at once', () => {
    const result = propose(
      input({ position: { onHand: null }, planning: { leadTimeDays: null, supplier: null } }),
    )
    expect(result).toMatchObject({
      kind: 'blocked',
      missing: [{ missing: 'stock' }, { missing: 'lead_time' }],
    })
  })

  it('waits for a supplier only where the policy requires one', () => {
    expect(order({ planning: { supplier: null } }).quantity).toBe(120)
  })
})

describe('the urgency', () => {
  // Ten a day, lead time 14, review 7: 140 go before an order arrives, 210 within the horizon.
  const at = (onHand: number, onOrder: number, planning = {}) => {
    const result = order({ forecast: steadyDemand(10), position: { onHand, onOrder }, planning })
    return [result.urgency, result.orderBy]
  }

  it('is stocked out with nothing on hand, whatever is on order', () => {
    expect(at(0, 200)).toEqual(['stocked_out', '2026-11-20'])
    expect(at(-5, 0)).toEqual(['stocked_out', '2026-11-20'])
  })

  it('is a stockout before arrival where the median demand of the lead time is not covered', () => {
    expect(at(100, 39)).toEqual(['stockout_before_arrival', '2026-11-20'])
  })

  it('is due where the next review would be too late', () => {
    expect(at(100, 40)).toEqual(['due', '2026-11-20'])
    expect(at(200, 9)).toEqual(['due', '2026-11-26'])
  })

  it('is ahead where only the safety stock is short', () => {
    expect(at(200, 10)).toEqual(['ahead', '2026-11-27'])
    expect(at(250, 0)).toEqual(['ahead', '2026-12-01'])
  })

  it('crosses the end of a year', () => {
    const { orderBy } = order({
      asOf: '2026-12-30',
      forecast: steadyDemand(10),
      position: { onHand: 200, onOrder: 0 },
    })
    expect(orderBy).toBe('2027-01-05')
  })

  it('is not softened by proposals that nobody ordered yet', () => {
    const { urgency } = order({
      forecast: steadyDemand(10),
      position: { onHand: 100, onOrder: 0, openProposals: 150 },
    })
    expect(urgency).toBe('stockout_before_arrival')
  })

  it('waits beyond the forecast only for what its rate bears out', () => {
    expect(at(900, 50, { leadTimeDays: 95 })).toEqual(['due', '2026-11-20'])
    expect(at(900, 60, { leadTimeDays: 95 })).toEqual(['due', '2026-11-21'])
    expect(at(900, 30, { leadTimeDays: 95 })[0]).toBe('stockout_before_arrival')
  })
})

describe('the rationale', () => {
  it('holds P50 over the horizon, stock and lead time in one sentence', () => {
    expect(order().rationale).toBe(
      'Expected demand (P50) is 95 over the next 21 days; 12 on hand and 20 on order do not cover ' +
        'that and are 108 short of the target of 140 (P90); supplier lead time 14 days; rounded up ' +
        'to 120 for lots of 40.',
    )
  })

  it('says where only the safety stock is short', () => {
    expect(order({ position: { onHand: 100 }, planning: { lotSize: null } }).rationale).toBe(
      'Expected demand (P50) is 95 over the next 21 days; 100 on hand and 20 on order cover that ' +
        'but are 20 short of the target of 140 (P90); supplier lead time 14 days; rounded up to 40 ' +
        'for the minimum order of 40.',
    )
  })

  it('writes large numbers in plain digits and leaves out what was not done', () => {
    const { rationale } = order({
      forecast: steadyDemand(100000),
      position: { onHand: 1234567.25, openProposals: 3 },
      planning: { leadTimeDays: 1, moq: 1, lotSize: 1, reviewPeriodDays: 40 },
    })
    expect(rationale).toContain('is 4100000 over the next 41 days; 1234567.25 on hand, 20 on order')
    expect(rationale).toContain('and 3 in open proposals')
    expect(rationale).toContain('supplier lead time 1 day;')
    expect(rationale).toContain('for whole units.')
  })
})

describe('the drivers', () => {
  it('name open orders and proposals where they made the order smaller', () => {
    const { drivers } = order({
      position: { onHand: 0, onOrder: 50, openProposals: 30 },
      planning: { moq: null, lotSize: null },
    })
    expect(drivers).toEqual([
      'low_stock',
      'lead_time_demand',
      'safety_stock',
      'open_orders',
      'open_proposals',
    ])
  })

  it('name the minimum order alone where it hides everything else', () => {
    const { drivers } = order({
      position: { onHand: 100, onOrder: 0 },
      planning: { moq: 500, lotSize: 1 },
    })
    expect(drivers).toEqual(['lead_time_demand', 'safety_stock', 'moq_applied'])
  })
})
