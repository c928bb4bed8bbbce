// What stock and supply are claimed by, or not usable for yet.
import { propose, riskOf } from '../../../engine/proposal/index.ts'
import { calculate } from './calculate.ts'
import { input, type Overrides } from './input.ts'

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
