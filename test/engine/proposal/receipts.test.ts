import { propose, riskOf } from '../../../engine/proposal/index.ts'
import { calculate } from './calculate.ts'
import { input, steadyDemand } from './input.ts'

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

  it('are expected a lead time after they were ordered where no day is promised', () => {
    const at = (orderedOn?: string | null, date: string | null = null) => {
      const result = propose(
        input({
          forecast: steadyDemand(10),
          position: { onHand: 20, receipts: [{ date, orderedOn, quantity: 200 }] },
        }),
      )
      return result.kind === 'order' ? [result.urgency, result.quantity] : [result.kind]
    }
    expect(at('2026-11-19')).toEqual(at(null, '2026-12-03'))
    expect(at('2026-11-19')[0]).toBe('stockout_before_arrival')
    expect(at('2026-11-10')).toEqual(at(null, '2026-11-24'))
    // A lead time is over: it is expected as an overdue one, however long ago it was ordered.
    expect(at('2026-10-01')).toEqual(at(null, '2026-11-27'))
    expect(at('2025-10-01')).toEqual(at(null, '2026-11-27'))
    // Nobody knows when it was ordered.
    expect(at()).toEqual(at(null, '2026-11-20'))
    expect(at()[0]).not.toBe('stockout_before_arrival')
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
