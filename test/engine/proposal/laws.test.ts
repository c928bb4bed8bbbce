// What must hold for every proposal, tried on thousands of made-up pairs.
import fc from 'fast-check'
import { orderableQuantity, propose } from '../../../engine/proposal/index.ts'
import type { Calculation, DemandQuantiles, ProposalInput } from '../../../engine/proposal/index.ts'

const RUNS = { numRuns: 2000 }

const hundredths = (max: number) => fc.integer({ min: 0, max: max * 100 }).map((n) => n / 100)

/** A forecast whose quantiles rise with horizon and level. */
const demand = fc
  .record({ rate: hundredths(200), spread: fc.double({ min: 0, max: 3, noNaN: true }) })
  .map(({ rate, spread }): DemandQuantiles => forecast(rate, spread))

function forecast(rate: number, spread: number): DemandQuantiles {
  const quantile = (days: number, level: number) =>
    Math.round(Math.max(0, rate * days + (level - 0.5) * spread * rate * Math.sqrt(days)))
  const at = (days: number) => ({
    p10: quantile(days, 0.1),
    p50: quantile(days, 0.5),
    p90: quantile(days, 0.9),
  })
  return { quantile, at }
}

const anyInput: fc.Arbitrary<ProposalInput> = fc.record({
  asOf: fc.constant('2026-02-27'),
  forecast: demand,
  position: fc.record({
    onHand: fc.oneof(hundredths(3000), fc.integer({ min: -50, max: 3000 })),
    onOrder: hundredths(1000),
    openProposals: fc.integer({ min: 0, max: 500 }),
  }),
  planning: fc.record({
    leadTimeDays: fc.integer({ min: 0, max: 150 }),
    reviewPeriodDays: fc.option(fc.integer({ min: 1, max: 60 })),
    moq: fc.option(fc.oneof(fc.integer({ min: 0, max: 500 }), hundredths(100))),
    lotSize: fc.option(fc.oneof(fc.integer({ min: 1, max: 200 }), fc.constantFrom(0.5, 2.5, 1.2))),
    supplier: fc.constant(null),
  }),
  policy: fc.record({
    reviewPeriodDays: fc.integer({ min: 1, max: 30 }),
    target: fc.oneof(
      fc.record({ quantile: fc.double({ min: 0.01, max: 0.99, noNaN: true }) }),
      fc.record({ stockoutRate: hundredths(2), carryingRate: hundredths(2) }),
    ),
    supplierRequired: fc.constant(false),
  }),
})

function calculation(input: ProposalInput): Calculation {
  const result = propose(input)
  if (result.kind === 'blocked') throw new Error('blocked')
  return result.calculation
}

const quantity = (input: ProposalInput) => calculation(input).quantity

describe('every proposal', () => {
  it('adds up by hand', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const c = calculation(input)
        expect(c.horizonDays).toBe(Math.min(90, c.leadTimeDays + c.reviewPeriodDays))
        expect(c).toMatchObject(input.forecast.at(c.horizonDays))
        expect(c.targetStock).toBeGreaterThanOrEqual(c.p50)
        expect(c.targetStock).toBeLessThanOrEqual(c.p90)
        const net = Math.max(0, c.targetStock - c.onHand - c.onOrder - c.openProposals)
        expect(c.netRequirement).toBeCloseTo(net, 6)
        expect(c.quantity > 0).toBe(c.netRequirement > 0)
      }),
      RUNS,
    )
  })

  it('is a whole multiple of its lot size, at least its minimum, and can be ordered', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const c = calculation(input)
        if (c.quantity === 0) return
        expect(Number.isSafeInteger(c.quantity)).toBe(true)
        expect(Math.abs(c.quantity / c.lotSize - Math.round(c.quantity / c.lotSize))).toBeLessThan(
          1e-9,
        )
        expect(c.quantity).toBeGreaterThanOrEqual(Math.max(c.moq, c.netRequirement))
        const limits = { moq: c.moq, lotSize: c.lotSize, calculated: c.quantity }
        expect(orderableQuantity(c.quantity, limits)).toEqual({ ok: true })
      }),
      RUNS,
    )
  })

  it('never grows with more stock', () => {
    fc.assert(
      fc.property(anyInput, hundredths(500), (input, more) => {
        const onHand = (input.position.onHand ?? 0) + more
        const richer = { ...input, position: { ...input.position, onHand } }
        expect(quantity(richer)).toBeLessThanOrEqual(quantity(input))
      }),
      RUNS,
    )
  })

  it('never shrinks with a higher target quantile', () => {
    const level = fc.double({ min: 0.4, max: 1, noNaN: true })
    fc.assert(
      fc.property(anyInput, level, level, (input, one, other) => {
        const at = (value: number) =>
          quantity({ ...input, policy: { ...input.policy, target: { quantile: value } } })
        expect(at(Math.max(one, other))).toBeGreaterThanOrEqual(at(Math.min(one, other)))
      }),
      RUNS,
    )
  })

  it('never shrinks with more demand', () => {
    fc.assert(
      fc.property(anyInput, hundredths(100), hundredths(100), (input, rate, more) => {
        const at = (perDay: number) => quantity({ ...input, forecast: forecast(perDay, 1) })
        expect(at(rate + more)).toBeGreaterThanOrEqual(at(rate))
      }),
      RUNS,
    )
  })

  it('is ordered no earlier than today, and no later than supply lasts at the median', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const result = propose(input)
        if (result.kind !== 'order') return
        expect(result.orderBy >= input.asOf).toBe(true)
        const wait = (Date.parse(result.orderBy) - Date.parse(input.asOf)) / 86_400_000
        if (wait === 0) return
        const { leadTimeDays, onHand, onOrder } = result.calculation
        expect(leadTimeDays + wait).toBeLessThanOrEqual(90)
        expect(input.forecast.at(leadTimeDays + wait).p50).toBeLessThanOrEqual(onHand + onOrder)
      }),
      RUNS,
    )
  })

  it('says its numbers in its rationale', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const result = propose(input)
        if (result.kind !== 'order') return
        const { p50, onHand, leadTimeDays, horizonDays } = result.calculation
        expect(result.rationale).toContain(`(P50) is ${p50} over the next ${horizonDays} day`)
        expect(result.rationale).toContain(`${onHand} on hand`)
        expect(result.rationale).toContain(`lead time ${leadTimeDays} day`)
        expect(result.rationale.length).toBeLessThan(500)
      }),
      RUNS,
    )
  })
})
