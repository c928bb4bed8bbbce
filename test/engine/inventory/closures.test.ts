import fc from 'fast-check'
import { arrivalOf, type ClosedDays, openFrom } from '../../../engine/inventory/closures.ts'
import { toEpochDay } from '../../../engine/index.ts'
import { propose, type ProposalInput } from '../../../engine/proposal/index.ts'

/** A Monday. */
const TODAY = '2027-08-02'
const today = toEpochDay(TODAY)
const period = (from: number, days: number): ClosedDays => ({
  weekdays: [],
  days: new Set(Array.from({ length: days }, (_, i) => today + from + i)),
})
const WEEKENDS: ClosedDays = { weekdays: [6, 7], days: new Set() }
const arrive = (day: number, lead: number, supplier: ClosedDays | null, location?: ClosedDays) =>
  arrivalOf(today + day, lead, { supplier, location }) - today

describe('an order of a supplier that closes', () => {
  it.each([
    ['comes before it', 0, 5, period(6, 21), 5],
    ['is not ready before it, and comes so much later', 0, 14, period(6, 21), 35],
    ['waits for its end', 10, 14, period(6, 21), 27 + 14],
    ['comes as always after it', 30, 14, period(6, 21), 44],
    ['begins on Monday, and its lead time holds the weekends', 5, 14, WEEKENDS, 7 + 14],
  ] as const)('%s', (_, day, lead, closed, expected) => {
    expect(arrive(day, lead, closed)).toBe(expected)
  })

  it('is received on a day of work of the location', () => {
    expect(arrive(0, 5, null, WEEKENDS)).toBe(7)
    expect(arrive(0, 14, period(6, 21), WEEKENDS)).toBe(35)
    expect(openFrom({ weekdays: [1, 2, 3, 4, 5, 6, 7], days: new Set() }, today)).toBe(today + 366)
  })

  it('is never usable before one that was placed earlier', () => {
    const closed = fc.record({
      weekdays: fc.subarray([1, 2, 3, 5, 6, 7] as const),
      days: fc
        .array(fc.tuple(fc.integer({ min: -20, max: 120 }), fc.integer({ min: 1, max: 40 })))
        .map((spans) => new Set(spans.flatMap(([from, days]) => [...period(from, days).days]))),
    })
    fc.assert(
      fc.property(closed, closed, fc.nat(60), (supplier, location, lead) => {
        let before = -Infinity
        for (let day = 0; day < 150; day++) {
          const usable = arrive(day, lead, supplier, location)
          expect(usable).toBeGreaterThanOrEqual(Math.max(before, day + lead))
          before = usable
        }
      }),
    )
  })
})

/** Ten a day, for certain. */
const certain = (days: number) => ({ p10: days * 10, p50: days * 10, p90: days * 10 })

const input = (planning: Partial<ProposalInput['planning']>): ProposalInput => ({
  asOf: TODAY,
  forecast: { at: certain, distribution: (days) => ({ ...certain(days), tail: 1 }) },
  position: { onHand: 60, onOrder: 0, openProposals: 0 },
  planning: {
    ...{ leadTimeDays: 5, reviewPeriodDays: 7, moq: 1, lotSize: 1, supplier: 'S' },
    ...planning,
  },
  policy: { reviewPeriodDays: 7, target: { quantile: 0.9 }, supplierRequired: true },
})

describe('a proposal', () => {
  it('before a closure lasts through it', () => {
    const plain = propose(input({}))
    expect(plain).toMatchObject({ kind: 'order', quantity: 60 })
    // The order of the next review would come on day 12, which is closed: it begins on day 27.
    const before = propose(input({ supplierClosed: period(6, 21) }))
    expect(before).toMatchObject({
      kind: 'order',
      quantity: 330 - 70,
      calculation: { leadTimeDays: 5, reviewPeriodDays: 27, horizonDays: 32, targetStock: 320 },
    })
  })

  it('that puts off the next order is told by how much', () => {
    const result = propose(input({ leadTimeDays: 7, supplierClosed: period(5, 16) }))
    expect(result).toMatchObject({
      calculation: { reviewPeriodDays: 21, reviewClosedDays: 14, horizonDays: 28 },
      rationale: expect.stringContaining('; closed days postpone the next order by 14 days'),
    })
    const open = propose(input({ leadTimeDays: 7, supplierClosed: period(40, 16) }))
    expect(open).not.toHaveProperty('calculation.reviewClosedDays')
  })

  it('within a closure goes out at its end', () => {
    const within = propose(input({ supplierClosed: period(-2, 12) }))
    expect(within).toMatchObject({ orderBy: '2027-08-12', urgency: 'stockout_before_arrival' })
  })

  it('says how many days closures add, and adds up', () => {
    const result = propose(input({ leadTimeDays: 14, supplierClosed: period(15, 10) }))
    expect(result).toMatchObject({
      calculation: { leadTimeDays: 14, reviewPeriodDays: 7, closedDays: 10, horizonDays: 31 },
      rationale: expect.stringContaining('closed days of supplier or location add 10 days'),
    })
  })

  it('knows open orders on the days on which the location receives them', () => {
    const onSaturday = { date: '2027-08-07', quantity: 50 }
    const position = { onHand: 10, onOrder: 50, openProposals: 0, receipts: [onSaturday] }
    const closed = { ...input({ locationClosed: WEEKENDS }), position }
    // Lead time 5: an order of Monday comes on Monday too, since Saturday is closed.
    expect(propose(closed)).toMatchObject({ calculation: { closedDays: 2, onOrder: 50 } })
  })
})

describe('the target through a long closure', () => {
  /** Around so many a day, with a standard deviation of twice the root of their number. */
  const around = (rate: number): ProposalInput['forecast'] => {
    const at = (days: number) => {
      const [p50, width] = [rate * days, 2.6 * Math.sqrt(rate * days)]
      return { p10: Math.max(0, p50 - width), p50, p90: p50 + width }
    }
    return { at, distribution: (days) => ({ ...at(days), tail: 1 }) }
  }
  const targetOf = (rate: number, closed: ClosedDays | null, more: object = {}, lead = 5) => {
    const of = input({ supplierClosed: closed, leadTimeDays: lead })
    const costs = { stockoutRate: 0.4, carryingRate: 0.25, ...more }
    const result = propose({
      ...{ ...of, forecast: around(rate), policy: { ...of.policy, target: costs } },
      position: { ...of.position, onHand: 0 },
    })
    return 'calculation' in result ? result.calculation.targetQuantile : NaN
  }

  it('is higher where much is sold, and lower where what is left would lie for long', () => {
    expect(targetOf(20, period(6, 21))).toBeGreaterThanOrEqual(targetOf(20, null))
    const byRate = [0.05, 0.2, 1, 5, 20].map((rate) => targetOf(rate, period(6, 21)))
    expect(byRate).toEqual(byRate.toSorted())
    expect(byRate[0]).toBeLessThan(byRate.at(-1)!)
    for (const level of byRate) expect([level >= 0.5, level <= 0.99]).toEqual([true, true])
  })

  it('is that of the order that comes after it too', () => {
    // Ordered today it comes on day 41: nothing of the closure is left to last through.
    expect(targetOf(0.05, period(6, 21), {}, 20)).not.toBe(targetOf(0.05, null, {}, 20))
  })

  it('stays that of the usual cycle on holidays and rest days, and where demand is lost', () => {
    for (const rate of [0.05, 1, 20]) {
      expect(targetOf(rate, period(3, 2))).toBe(targetOf(rate, null))
      expect(targetOf(rate, WEEKENDS)).toBe(targetOf(rate, null))
      const lost = { unmetDemand: 'lost' }
      expect(targetOf(rate, period(30, 21), lost)).toBe(targetOf(rate, null, lost))
    }
  })

  it('is not touched by a closure that no order is due before', () => {
    expect(targetOf(1, period(60, 21))).toBe(targetOf(1, null))
  })
})
