import { toEpochDay } from '../../../engine/index.ts'
import { propose } from '../../../engine/proposal/index.ts'
import { normalQuantile } from '../inventory/normal.ts'
import { input, steadyDemand } from './input.ts'
import type { Overrides } from './input.ts'

function order(overrides: Overrides = {}) {
  const result = propose(input(overrides))
  if (result.kind !== 'order') throw new Error(`expected an order, not ${result.kind}`)
  return result
}

/** The quantile above the median of demand whose fourth root is normal, from its P50 and P90. */
const rooted = (p50: number, p90: number, level: number) => {
  const [median, high] = [p50 ** 0.25, p90 ** 0.25]
  return Math.round((median + ((high - median) / normalQuantile(0.9)) * normalQuantile(level)) ** 4)
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

  it('orders no whole multiple of a fractional lot that is far more than the need', () => {
    const of = (lotSize: number, onHand = 12) => {
      const result = propose(input({ planning: { moq: 1, lotSize }, position: { onHand } }))
      return result.kind === 'blocked' ? result.missing : result.calculation.quantity
    }
    // 108 are missing.
    expect(of(36.05)).toEqual([
      {
        missing: 'unit_conversion',
        reason:
          'Lots of 36.05 make a whole quantity only with 721, and 108 are missing: correct the lot size, or keep the SKU in a smaller unit.',
      },
    ])
    expect(of(22.7)).toBe(227)
    expect(of(0.05)).toBe(108)
    // Nothing is missing, and few lots are whole.
    expect(of(36.05, 500)).toBe(0)
    expect(of(362.5)).toBe(725)
  })

  it('takes the review period of the policy where the ERP has none', () => {
    const { calculation } = order({ planning: { reviewPeriodDays: null } })
    expect(calculation).toMatchObject({ reviewPeriodDays: 7, horizonDays: 21 })
  })

  it('orders what is cheap and slow less often where a line has a cost', () => {
    const cycle = (orderLineCost: number, planning: Overrides['planning'] = {}) =>
      order({
        forecast: steadyDemand(1),
        position: { onHand: 0, onOrder: 0 },
        planning: { unitCost: 2, moq: 1, lotSize: 1, ...planning },
        policy: { target: { stockoutRate: 0.4, carryingRate: 0.25 }, orderLineCost },
      }).calculation.reviewPeriodDays
    expect(cycle(0)).toBe(7)
    // 365 · √(2 · 1 / (.25 · 2 · 365))
    expect(cycle(1)).toBe(38)
    expect(cycle(1, { unitCost: 2_000 })).toBe(7)
    expect(cycle(100)).toBe(90)
    expect(cycle(100, { shelfLifeDays: 30 })).toBe(30)
    expect(cycle(1, { unitCost: null })).toBe(7)
  })

  it('orders up to the median where a stockout costs no more than carrying', () => {
    const { calculation } = order({
      policy: { target: { stockoutRate: 0.001, carryingRate: 0.3 } },
    })
    expect(calculation).toMatchObject({ targetQuantile: 0.5, targetStock: 95 })
  })

  it('waits with an order at the median that costs more than it averts', () => {
    // A stockout costs four weeks of carrying; at 90 days and more the optimum lies below the median.
    const target = { stockoutRate: (4 * 0.25 * 7) / 365, carryingRate: 0.25 }
    const slow = (onHand: number) =>
      propose(
        input({
          forecast: steadyDemand(10),
          position: { onHand, onOrder: 0 },
          planning: { leadTimeDays: 90, moq: 1, lotSize: 1 },
          policy: { target },
        }),
      )
    expect(slow(950)).toMatchObject({ kind: 'none', calculation: { quantity: 0 } })
    // An empty shelf does not wait.
    expect(slow(0)).toMatchObject({ kind: 'order', calculation: { targetQuantile: 0.5 } })
  })

  it('orders up to more than P90 where a stockout costs much more than carrying', () => {
    const { calculation } = order({ policy: { target: { stockoutRate: 0.3, carryingRate: 0.3 } } })
    expect(calculation.targetQuantile).toBeGreaterThan(0.9)
    expect(calculation.targetQuantile).toBeLessThanOrEqual(0.99)
    expect(calculation.targetStock).toBe(rooted(95, 140, calculation.targetQuantile))
  })

  it('keeps a fixed quantile to P50..P99', () => {
    const target = (quantile: number) => order({ policy: { target: { quantile } } }).calculation
    expect(target(0.9)).toMatchObject({ targetQuantile: 0.9, targetStock: 140 })
    expect(target(0.99)).toMatchObject({ targetQuantile: 0.99, targetStock: rooted(95, 140, 0.99) })
    expect(target(0.999)).toEqual(target(0.99))
    expect(target(0.2)).toMatchObject({ targetQuantile: 0.5, targetStock: 95 })
    expect(target(0.7)).toMatchObject({ targetQuantile: 0.7, targetStock: rooted(95, 140, 0.7) })
  })

  it('covers what comes after 90 days by the rate of those days, and says so', () => {
    const { calculation, rationale } = order({ planning: { leadTimeDays: 120 } })
    // P50 127 and P90 187 over 28 days, 407 and 600 over 90: the width, 60 and 193, grows with more than the time
    // and so with the time: 600 · 127/90 = 846.7
    expect(calculation).toMatchObject({
      horizonDays: 90,
      leadTimeDays: 120,
      p50: 407,
      targetStock: 600,
      beyondHorizon: 247,
      netRequirement: 600 + 247 - 32,
    })
    expect(calculation.drivers).toContain('beyond_horizon')
    expect(calculation.exceptions?.map(({ code }) => code)).toEqual([
      'beyond_horizon',
      'long_lead_time',
    ])
    expect(rationale).toContain('of 600 (P90) plus 247 for the 37 days after that;')
  })

  it('counts closed days among the days that an order covers, and says so', () => {
    const days = new Set(Array.from({ length: 20 }, (_, i) => toEpochDay('2026-12-04') + i))
    const closed = (leadTimeDays: number) =>
      order({
        planning: { leadTimeDays, supplierClosed: { weekdays: [], days } },
        position: { onOrder: 0, receipts: [{ date: '2027-02-10', quantity: 60 }] },
      }).calculation
    expect(closed(14)).toMatchObject({ horizonDays: 41, closedDays: 20, onOrderLater: 60 })
    expect(closed(14).exceptions).toMatchObject([
      {
        code: 'late_receipts',
        message: '60 on order are due only after 41 days and do not count.',
      },
    ])
    const beyond = closed(70)
    expect(beyond.beyondHorizon).toBeGreaterThan(0)
    const message =
      'Lead time, closed days and review period are 97 days; what comes after 90 is extrapolated.'
    expect(beyond.exceptions).toContainEqual({ code: 'beyond_horizon', message })
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
  // Ten a day, P90 14 a day; lead time 14, review 7: 140 go at the median before an order arrives, and the target is
  // 14 · 21 = 294. An order placed after n days arrives after n + 14, and 14 a day must last until then.
  const at = (onHand: number, onOrder: number, planning = {}) => {
    const result = order({
      forecast: steadyDemand(10),
      position: { onHand, onOrder },
      planning: { moq: null, lotSize: null, ...planning },
    })
    return [result.urgency, result.orderBy]
  }

  it('is stocked out with nothing on hand, whatever is on order', () => {
    expect(at(0, 200)).toEqual(['stocked_out', '2026-11-20'])
    expect(at(-5, 0)).toEqual(['stocked_out', '2026-11-20'])
  })

  it('is a stockout before arrival where the median demand of the lead time is not covered', () => {
    expect(at(100, 39)).toEqual(['stockout_before_arrival', '2026-11-20'])
  })

  it('is due where waiting for the next review would miss the service target', () => {
    expect(at(100, 40)).toEqual(['due', '2026-11-20'])
    // 14 · 15 = 210 until an order of tomorrow arrives, 14 · 16 = 224 until one of the day after does
    expect(at(200, 9)).toEqual(['due', '2026-11-20'])
    expect(at(200, 10)).toEqual(['due', '2026-11-21'])
    expect(at(200, 23)).toEqual(['due', '2026-11-21'])
    expect(at(200, 24)).toEqual(['due', '2026-11-22'])
    expect(at(280, 0)).toEqual(['due', '2026-11-26'])
    expect(at(293, 0)).toEqual(['due', '2026-11-26'])
  })

  it('is ahead where only what an uncertain lead time adds is short', () => {
    expect(at(294, 0, { leadTimeDeviationDays: 4 })).toEqual(['ahead', '2026-11-27'])
    expect(at(293, 0, { leadTimeDeviationDays: 4 })).toEqual(['due', '2026-11-26'])
  })

  it('crosses the end of a year', () => {
    const { orderBy } = order({
      asOf: '2026-12-30',
      forecast: steadyDemand(10),
      position: { onHand: 280, onOrder: 0 },
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
    // 14 · 96 = 1344; 10 · 95 = 950 at the median
    expect(at(1300, 43, { leadTimeDays: 95 })).toEqual(['due', '2026-11-20'])
    expect(at(1300, 44, { leadTimeDays: 95 })).toEqual(['due', '2026-11-21'])
    expect(at(900, 50, { leadTimeDays: 95 })).toEqual(['due', '2026-11-20'])
    expect(at(900, 49, { leadTimeDays: 95 })[0]).toBe('stockout_before_arrival')
  })
})

describe('the review period', () => {
  const after = (daysSinceOrder: number | null, onHand: number, overrides: Overrides = {}) => {
    const asked = input({
      forecast: steadyDemand(10),
      ...overrides,
      position: { onHand, onOrder: 0, ...overrides.position },
    })
    const result = propose({ ...asked, daysSinceOrder })
    return result.kind === 'order' ? result.urgency : result.kind
  }

  it('is waited for after an order, as long as the service target allows', () => {
    // With 14 · 15 = 210 an order of tomorrow is in time, with 209 it is not.
    expect(after(1, 210)).toBe('none')
    expect(after(6, 210)).toBe('none')
    expect(after(1, 209)).toBe('due')
    expect(after(1, 100)).toBe('stockout_before_arrival')
    expect(after(1, 0)).toBe('stocked_out')
  })

  it('counts what is approved before the ERP has it, from its arrival on', () => {
    const approved = { position: { openProposals: 110 } }
    expect(after(1, 100, approved)).toBe('none')
    expect(after(1, 0, { position: { openProposals: 210 } })).toBe('none')
    // 14 · 15 = 210 are wanted until an order of tomorrow arrives.
    expect(after(1, 99, approved)).toBe('stockout_before_arrival')
    expect(after(7, 100, approved)).toBe('stockout_before_arrival')
  })

  it('is over after its last day, and without an order', () => {
    expect(after(7, 210)).toBe('due')
    expect(after(372, 210)).toBe('due')
    expect(after(null, 210)).toBe('due')
  })

  it('ends before the next order day where that one is too late', () => {
    // Fridays only: the next chance is in 7 days; 14 · 21 = 294 must be there for it.
    const fridays = { planning: { orderDays: [5 as const], leadTimeDeviationDays: 4 } }
    expect(after(1, 293, fridays)).toBe('due')
    expect(after(1, 294, fridays)).toBe('none')
    expect(after(7, 294, fridays)).toBe('ahead')
  })

  it('asks for nothing, and still says what is short', () => {
    const asked = input({ forecast: steadyDemand(10), position: { onHand: 210, onOrder: 0 } })
    expect(propose({ ...asked, daysSinceOrder: 1 })).toMatchObject({
      kind: 'none',
      calculation: { netRequirement: 84, quantity: 0 },
    })
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

  it.each([
    [500, 500, ['moq_applied']],
    [500, 100, ['moq_applied']],
    [480, 500, ['moq_applied', 'pack_rounding']],
    [500, 1, ['moq_applied']],
    [1, 500, ['pack_rounding']],
    [500, 300, ['moq_applied', 'pack_rounding']],
    [20, 500, ['pack_rounding']],
  ])('name a minimum of %d and lots of %d as they follow each other', (moq, lotSize, raising) => {
    const { drivers } = order({
      position: { onHand: 100, onOrder: 0 },
      planning: { moq, lotSize },
    })
    expect(drivers).toEqual(['lead_time_demand', 'safety_stock', ...raising])
  })
})
