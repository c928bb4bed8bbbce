import fc from '../../support/properties.ts'
import { bestPriceBreak } from '../../../engine/inventory/price-breaks.ts'
import { orderableQuantity, propose, unitCostAt } from '../../../engine/proposal/index.ts'
import type { ProposalInput } from '../../../engine/proposal/index.ts'
import { anyInput } from './any-input.ts'
import { input, steadyDemand } from './input.ts'

/** Ten a day, P50 over 21 days: 210; 40 on hand leave 170, nine lots of 20 are 180, 10 beyond the target. */
const order = (planning: Partial<ProposalInput['planning']>, policy = {}) => {
  const result = propose(
    input({
      forecast: steadyDemand(10),
      position: { onHand: 40, onOrder: 0 },
      planning: { moq: 20, lotSize: 20, unitCost: 2.1, ...planning },
      policy: {
        ...{ target: { quantile: 0.5 }, costs: { stockoutRate: 0.4, carryingRate: 0.25 } },
        ...policy,
      },
    }),
  )
  if (result.kind !== 'order') throw new Error('expected an order')
  return result
}
const priceBreaks = [
  { from: 200, unitCost: 1.95 },
  { from: 600, unitCost: 1.94 },
]

it('is worth it where what is saved on the price exceeds what the added units cost to carry', () => {
  const { quantity, calculation, rationale } = order({ priceBreaks })
  expect(calculation).toMatchObject({
    netRequirement: 170,
    drivers: expect.arrayContaining(['price_break']),
  })
  expect(quantity).toBe(200)
  // The 20 added units are 10 to 30 beyond the target, 2 days at 10 a day.
  expect(calculation.priceBreak).toEqual({
    ...{ units: 20, from: 200, unitCost: 1.95, unitCostBefore: 2.1, saving: 30 },
    ...{ carryingDays: 2, carryingRate: 0.25, carryingCost: 0.05 },
  })
  expect(rationale).toContain(
    'raised from 180 to 200: the price falls from 2.10 to 1.95 and saves 30.00, carrying costs 0.05',
  )
})

it('is left beyond a maximum, a shelf life, a phase-out or the cover, and where carrying costs more', () => {
  expect(order({ priceBreaks, maximumOrder: 190 }).quantity).toBe(180)
  expect(order({ priceBreaks, shelfLifeDays: 18 }).quantity).toBe(180)
  expect(order({ priceBreaks }, { priceBreakCoverDays: 2 }).quantity).toBe(180)
  expect(order({ priceBreaks: [{ from: 900, unitCost: 2.09 }] }).quantity).toBe(180)
})

it('is the break whose price the whole lots come to', () => {
  const breaks = [
    { from: 200, unitCost: 1.95 },
    { from: 240, unitCost: 1.9 },
  ]
  const purchase = {
    ...{ quantity: 180, aboveTarget: 0, protectionDays: 21, limit: 900 },
    ...{
      lots: { moq: 1, lotSize: 250 },
      prices: { unitCost: 2.1, breaks },
      carryingRate: 0.25,
      coverDays: 90,
    },
  }
  expect(bestPriceBreak(steadyDemand(10), purchase)).toMatchObject({ from: 240, unitCost: 1.9 })
})

const anyBreaks = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 1200 }), fc.integer({ min: 150, max: 220 })), {
    maxLength: 4,
  })
  .map((some) => new Map(some))
  .map((some) => [...some].map(([from, cents]) => ({ from, unitCost: cents / 100 })))
  .map((some) => some.toSorted((a, b) => a.from - b.from))

it('costs least a unit of all orders that are as large or larger', () => {
  fc.assert(
    fc.property(anyBreaks, (breaks) => {
      const { quantity } = order({ priceBreaks: breaks })
      // Ten a day: 180 are 10 beyond the target, and all may last 90 days beyond it.
      const costOf = (units: number) => {
        const price = unitCostAt(units, { unitCost: 2.1, breaks })!
        const days = (10 + (units - 180) / 2) / 10
        return price + (price * 0.25 * (units - 180) * days) / 365 / units
      }
      for (let units = 180; units <= 180 + 890; units += 20)
        expect(costOf(quantity)).toBeLessThanOrEqual(costOf(units) + 2e-4)
    }),
  )
})

it('raises an order and makes none, within its limits and for less than it saves', () => {
  fc.assert(
    fc.property(anyInput, anyBreaks, (any, priceBreaks) => {
      const costs = { stockoutRate: 0.4, carryingRate: 0.25 }
      const policy = { ...any.policy, costs }
      const plain = { ...any, policy, planning: { ...any.planning, unitCost: 2.1 } }
      const [before, after] = [
        propose(plain),
        propose({ ...plain, planning: { ...plain.planning, priceBreaks } }),
      ]
      expect(after.kind).toBe(before.kind)
      if (before.kind !== 'order' || after.kind !== 'order') return
      const { priceBreak, moq, lotSize, limit } = after.calculation
      expect(after.quantity).toBe(before.quantity + (priceBreak?.units ?? 0))
      if (!priceBreak) return
      expect(priceBreak.saving).toBeGreaterThan(priceBreak.carryingCost)
      expect(priceBreak.from).toBeGreaterThan(before.quantity)
      const limits = { moq, lotSize, calculated: after.quantity, maximum: limit }
      expect(orderableQuantity(after.quantity, limits)).toEqual({ ok: true })
    }),
  )
})
