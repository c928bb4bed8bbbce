import fc, { setRuns } from '../../support/properties.ts'
import {
  fillSupplierOrder,
  propose,
  raiseForSupplier,
  supplierLine,
} from '../../../engine/proposal/index.ts'
import type { SupplierLimits, SupplierLine } from '../../../engine/proposal/index.ts'
import { input } from './input.ts'

setRuns(500)

const line = (changes: Partial<SupplierLine> = {}): SupplierLine => ({
  key: 'a',
  quantity: 40,
  moq: 10,
  lotSize: 10,
  most: null,
  daysAboveTarget: -40,
  dailyDemand: 1,
  unitCost: 2,
  carryingRate: 0.25,
  urgency: 'due',
  orderBy: '2026-11-22',
  ...changes,
})
/** 40 of each: a is 0 days beyond its target with them, b with its lots of 20 at 2 a day too. */
const two = [line(), line({ key: 'b', lotSize: 20, dailyDemand: 2, daysAboveTarget: -20 })]
const quantities = (lines: SupplierLine[], limits: SupplierLimits) =>
  fillSupplierOrder(lines, limits).lines.map(({ quantity }) => quantity)

describe("the freight of a supplier's order", () => {
  // 160 without it; 80 units more are 40 of each, which lie half of 40 and 20 days beyond the targets: 80 * 2 * .25 / 365
  // times (40 * 20 + 40 * 10) / 80 days are 1.64.
  const from = 320

  it('is saved where keeping what that takes costs less', () => {
    const order = fillSupplierOrder(two, { freeFreight: { from, cost: 20 } })
    expect(order.status).toBe('raised')
    expect(order.value).toBeGreaterThanOrEqual(from)
  })

  it('is paid where it costs less, where no line may be raised so far, or where no costs are known', () => {
    expect(quantities(two, { freeFreight: { from, cost: 0.5 } })).toEqual([40, 40])
    expect(quantities(two, { freeFreight: { from, cost: 20 }, coverDays: 5 })).toEqual([40, 40])
    const unknown = two.map((each) => ({ ...each, carryingRate: null }))
    expect(quantities(unknown, { freeFreight: { from, cost: 20 } })).toEqual([40, 40])
  })

  it('is weighed as the guide shows', () => {
    const order = fillSupplierOrder(two, { freeFreight: { from, cost: 20 } })
    expect(order).toMatchObject({ freight: 'saved', value: 340 })
    const carryingOf = (units: number) => Number(((units * 2 * 0.25 * 15) / 365).toFixed(2))
    expect(order.lines.map(({ freight }) => freight)).toEqual([
      { units: 30, carryingCost: carryingOf(30) },
      { units: 60, carryingCost: carryingOf(60) },
    ])
    expect([carryingOf(30), carryingOf(60)]).toEqual([0.62, 1.23])
  })

  it('is weighed beyond the minimum too', () => {
    const limits = { minimumQuantity: 110, freeFreight: { from, cost: 20 } }
    expect(fillSupplierOrder(two, limits).value).toBeGreaterThanOrEqual(from)
  })
})

describe("a supplier's order", () => {
  it('is complete without limits, or above them', () => {
    expect(fillSupplierOrder(two, {})).toMatchObject({
      status: 'complete',
      quantity: 80,
      value: 160,
      missing: null,
    })
    expect(fillSupplierOrder(two, { minimumValue: 160, minimumQuantity: 80 }).status).toBe(
      'complete',
    )
  })

  it('is raised in lots, evenly in days of supply', () => {
    const order = fillSupplierOrder(two, { minimumQuantity: 110 })
    expect(order).toMatchObject({
      status: 'raised',
      lines: [
        { key: 'a', quantity: 50, raisedBy: 10 },
        { key: 'b', quantity: 60, raisedBy: 20 },
      ],
      quantity: 110,
    })
    expect(order.message).toBe('2 of 2 lines were raised by 30 in all for the supplier.')
  })

  it('is raised by value where that lacks, with lines that have one', () => {
    expect(
      quantities([line({ unitCost: null }), line({ key: 'b' })], { minimumValue: 120 }),
    ).toEqual([40, 60])
  })

  it('adds a line without a need yet, by its minimum, where that gives the fewest days of supply', () => {
    const early = line({ key: 'c', quantity: 0, daysAboveTarget: 5, urgency: null, orderBy: null })
    expect(quantities([line({ daysAboveTarget: -10 }), early], { minimumQuantity: 50 })).toEqual([
      40, 10,
    ])
  })

  it('never raises a line above its own limit, nor one without demand', () => {
    const lines = [line({ most: 50 }), line({ key: 'b', dailyDemand: 0 }), line({ key: 'c' })]
    expect(quantities(lines, { minimumQuantity: 200 })).toEqual([50, 40, 110])
  })

  it('waits for the first line to press where none does', () => {
    const lines = [
      line({ urgency: 'ahead', orderBy: '2026-12-03' }),
      line({ key: 'b', urgency: 'ahead', orderBy: '2026-12-01' }),
      line({ key: 'c', quantity: 0, urgency: null, orderBy: null }),
    ]
    expect(fillSupplierOrder(lines, { minimumQuantity: 100, minimumValue: 200 })).toMatchObject({
      status: 'below_minimum',
      missing: { quantity: 20, value: 40 },
      waitUntil: '2026-12-01',
      lines: [{ quantity: 40 }, { quantity: 40 }, { quantity: 0 }],
      message: "Below the supplier's minimum: 40 in value and 20 in quantity missing.",
    })
  })

  it('is left as proposed, and says what lacks, where the minimum cannot be reached', () => {
    expect(fillSupplierOrder([line({ most: 60 })], { minimumQuantity: 100 })).toMatchObject({
      status: 'below_minimum',
      missing: { quantity: 60, value: 0 },
      waitUntil: null,
      coverItTakes: null,
      lines: [{ quantity: 40, raisedBy: 0 }],
    })
  })

  it('is not raised beyond the days of cover that are allowed, and says how many it would take', () => {
    const limits = { minimumValue: 300, coverDays: 28 }
    expect(quantities(two, { ...limits, coverDays: 30 })).toEqual([70, 80])
    expect(fillSupplierOrder(two, limits)).toMatchObject({
      status: 'below_minimum',
      missing: { quantity: 0, value: 140 },
      lines: [{ raisedBy: 0 }, { raisedBy: 0 }],
      coverItTakes: 30,
    })
  })

  it('reaches a minimum just below a price break, where more units would be worth less', () => {
    const priceBreaks = [{ from: 200, unitCost: 1.5 }]
    const changes = { quantity: 100, moq: 1, lotSize: 1, dailyDemand: 10, daysAboveTarget: -10 }
    const lines = [line({ ...changes, priceBreaks })]
    expect(quantities(lines, { minimumValue: 390, coverDays: 15 })).toEqual([195])
    const both = { minimumValue: 390, minimumQuantity: 210 }
    expect(quantities(lines, { ...both, coverDays: 90 })).toEqual([260])
    expect(quantities(lines, { minimumValue: 390, containerUnits: 100 })).toEqual([195])
    expect(fillSupplierOrder(lines, { ...both, coverDays: 15 })).toMatchObject({
      ...{ status: 'below_minimum', coverItTakes: 16 },
    })
  })

  it('raises a line whose price is known only from a quantity on', () => {
    const unpriced = { unitCost: null, priceBreaks: [{ from: 50, unitCost: 2 }] }
    expect(quantities([line(unpriced)], { minimumValue: 110 })).toEqual([60])
  })

  it('is filled to whole containers only within the cover', () => {
    expect(quantities(two, { containerUnits: 200, coverDays: 15 })).toEqual([50, 60])
    expect(quantities(two, { containerUnits: 200, coverDays: 100 })).toEqual([80, 120])
  })

  it('fills whole containers as far as lots go', () => {
    expect(fillSupplierOrder(two, { containerUnits: 100 })).toMatchObject({
      status: 'raised',
      quantity: 100,
    })
    const odd = fillSupplierOrder([line({ lotSize: 40 })], { containerUnits: 100 })
    expect(odd).toMatchObject({ quantity: 80 })
    expect(odd.message).toContain('The last container has room for 20.')
  })

  it('is nothing where nothing is needed', () => {
    const none = [line({ quantity: 0, urgency: null, orderBy: null })]
    expect(fillSupplierOrder(none, { minimumQuantity: 100 })).toMatchObject({
      status: 'complete',
      quantity: 0,
    })
  })
})

describe('a raised line', () => {
  it('shows by how much and why, and can be ordered', () => {
    const pair = input()
    const result = propose(pair)
    if (result.kind !== 'order') throw new Error('expected an order')
    const [raised] = fillSupplierOrder([supplierLine('a', pair, result)], {
      minimumQuantity: 200,
    }).lines
    expect(raised).toEqual({ key: 'a', quantity: 200, raisedBy: 80 })
    const order = raiseForSupplier(pair, result, raised!.raisedBy)
    expect(order).toMatchObject({
      quantity: 200,
      calculation: { netRequirement: 108, quantity: 200, supplierMinimum: 80 },
    })
    expect(order.kind === 'order' && order.drivers.at(-1)).toBe('supplier_minimum')
    expect(order.kind === 'order' && order.rationale).toContain(
      "rounded up to 120 for lots of 40; 80 more, 200, for the supplier's whole order.",
    )
  })

  it('has no unit cost only where none is known for its new quantity either', () => {
    const priceBreaks = [{ from: 200, unitCost: 2 }]
    const pair = input({ planning: { unitCost: null, priceBreaks } })
    const result = propose(pair)
    if (result.kind !== 'order') throw new Error('expected an order')
    expect(result.calculation.exceptions).toEqual([
      { code: 'no_cost', message: expect.stringContaining('for so small an order') },
    ])
    expect(raiseForSupplier(pair, result, 40)).toMatchObject({
      calculation: { exceptions: result.calculation.exceptions },
    })
    const priced = raiseForSupplier(pair, result, 80)
    expect(priced.kind === 'order' && priced.calculation.exceptions).toBeUndefined()
  })

  it('becomes an order where it needed nothing yet', () => {
    const pair = input({ position: { onHand: 150 } })
    const result = propose(pair)
    if (result.kind === 'blocked') throw new Error('blocked')
    expect(result.kind).toBe('none')
    expect(raiseForSupplier(pair, result, 40)).toMatchObject({
      kind: 'order',
      quantity: 40,
      urgency: 'ahead',
      drivers: ['supplier_minimum'],
    })
  })
})

const anyLine = fc.record({
  quantity: fc.integer({ min: 0, max: 5 }),
  moq: fc.integer({ min: 1, max: 30 }),
  lotSize: fc.integer({ min: 1, max: 15 }),
  room: fc.option(fc.integer({ min: 0, max: 8 })),
  daysAboveTarget: fc.integer({ min: -30, max: 60 }),
  dailyDemand: fc.integer({ min: 0, max: 5 }),
  unitCost: fc.option(fc.integer({ min: 1, max: 9 })),
  priceBreaks: fc.uniqueArray(
    fc.record({ from: fc.integer({ min: 1, max: 90 }), unitCost: fc.integer({ min: 1, max: 9 }) }),
    { selector: ({ from }) => from, maxLength: 2 },
  ),
})

const anyLines = fc.array(anyLine, { minLength: 1, maxLength: 6 }).map((all) =>
  all.map(({ room, priceBreaks, ...each }, i) => {
    const least = Math.ceil(each.moq / each.lotSize) * each.lotSize
    const quantity = each.quantity === 0 ? 0 : least + (each.quantity - 1) * each.lotSize
    const most = room === null ? null : quantity + room * each.lotSize
    const ascending = priceBreaks.toSorted((a, b) => a.from - b.from)
    return line({ ...each, key: `${i}`, quantity, most, priceBreaks: ascending })
  }),
)

/** How far it reaches, lot by lot, always the line that then reaches least far beyond its target. */
function byHand(lines: SupplierLine[], minimumQuantity: number): number | null {
  const quantity = lines.map((each) => each.quantity)
  const total = () => quantity.reduce((sum, each) => sum + each, 0)
  while (total() < minimumQuantity) {
    const steps = lines.flatMap((each, i) => {
      const least = Math.ceil(each.moq / each.lotSize) * each.lotSize
      const next = quantity[i] ? quantity[i] + each.lotSize : least
      const days = each.daysAboveTarget + next / each.dailyDemand
      return each.dailyDemand > 0 && next <= (each.most ?? Infinity) ? [{ i, next, days }] : []
    })
    const step = steps.sort((a, b) => a.days - b.days || a.i - b.i)[0]
    if (!step) return null
    quantity[step.i] = step.next
  }
  return farthest(lines, quantity)
}

/** How many days beyond its target the farthest raised line reaches. */
function farthest(lines: SupplierLine[], quantity: number[]): number {
  const days = lines.map((each, i) => each.daysAboveTarget + quantity[i]! / each.dailyDemand)
  return Math.max(...days.filter((_, i) => quantity[i]! > lines[i]!.quantity), -Infinity)
}

describe('every filled order', () => {
  it('is what raising lot by lot gives', () => {
    fc.assert(
      fc.property(anyLines, fc.integer({ min: 0, max: 400 }), (lines, minimumQuantity) => {
        if (lines.every(({ quantity }) => quantity === 0)) return
        const expected = byHand(lines, minimumQuantity)
        const order = fillSupplierOrder(lines, { minimumQuantity })
        expect(order.status === 'below_minimum').toBe(expected === null)
        if (expected === null) return
        const reached = farthest(
          lines,
          order.lines.map(({ quantity }) => quantity),
        )
        expect(reached).toBeCloseTo(expected, 4)
        expect(order.quantity).toBeGreaterThanOrEqual(minimumQuantity)
      }),
    )
  })

  it('keeps every line orderable, within its limit and no smaller than proposed', () => {
    const some = fc.option(fc.integer({ min: 1, max: 500 }))
    const limits = fc.record({
      ...{ minimumValue: some, minimumQuantity: some, containerUnits: some },
      coverDays: fc.option(fc.integer({ min: 0, max: 90 })),
    })
    fc.assert(
      fc.property(anyLines, limits, (lines, limit) => {
        const order = fillSupplierOrder(lines, limit)
        order.lines.forEach(({ quantity, raisedBy }, i) => {
          const { moq, lotSize, most, quantity: proposed } = lines[i]!
          expect(quantity - raisedBy).toBe(proposed)
          expect(raisedBy).toBeGreaterThanOrEqual(0)
          expect(quantity % lotSize).toBe(0)
          expect(quantity === 0 || quantity >= moq).toBe(true)
          expect(quantity).toBeLessThanOrEqual(most ?? Infinity)
        })
        if (order.status !== 'below_minimum' && order.quantity > 0) {
          expect(order.quantity).toBeGreaterThanOrEqual(limit.minimumQuantity ?? 0)
          expect(order.value).toBeGreaterThanOrEqual(limit.minimumValue ?? 0)
        }
        const { coverItTakes } = order
        if (coverItTakes != null) expect(coverItTakes).toBeGreaterThan(limit.coverDays ?? Infinity)
      }),
    )
  })
})
