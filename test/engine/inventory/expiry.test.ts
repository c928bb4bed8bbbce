import { expectedWaste } from '../../../engine/inventory/expiry.ts'
import { propose, openOrderMessages, type ProposalInput } from '../../../engine/proposal/index.ts'
import type { DemandForecast } from '../../../engine/inventory/demand.ts'

/** So many units each day, for sure. */
const certain = (rate: number): DemandForecast => {
  const of = (days: number) => ({ p10: rate * days, p50: rate * days, p90: rate * days })
  return { at: of, distribution: (days) => ({ ...of(days), tail: 1 }) }
}

/** Between nothing and twice the rate. */
const wide = (rate: number): DemandForecast => {
  const of = (days: number) => ({ p10: 0, p50: rate * days, p90: 2 * rate * days })
  return { at: of, distribution: (days) => ({ ...of(days), tail: 1 }) }
}

const wasteOf = (demand: DemandForecast, ...batches: [days: number, quantity: number][]) =>
  expectedWaste(
    demand,
    batches.map(([days, quantity]) => ({ days, quantity })),
  ).map(({ waste }) => Math.round(waste * 1000) / 1000)

describe('what expires unsold', () => {
  it('is what demand leaves of each batch, the first to expire sold first', () => {
    expect(wasteOf(certain(2), [5, 10])).toEqual([0])
    expect(wasteOf(certain(2), [5, 14])).toEqual([4])
    expect(wasteOf(certain(2), [0, 3], [5, 10])).toEqual([3, 0])
    // 4 units are sold of the first batch, 4 + 6 of both: nothing that expires later waits for what is gone.
    expect(wasteOf(certain(2), [2, 10], [5, 10])).toEqual([6, 4])
    expect(wasteOf(certain(2), [5, 10], [2, 10])).toEqual([6, 4])
  })

  it('is a mean where demand is not certain, and never more than there is', () => {
    const [waste] = wasteOf(wide(2), [5, 10])
    expect(waste).toBeGreaterThan(1)
    expect(waste).toBeLessThan(10)
    expect(wasteOf(certain(0), [5, 7])).toEqual([7])
    expect(wasteOf(certain(9), [5, 0], [3, -4])).toEqual([])
  })

  it('counts what a later batch leaves also where the earlier one leaves as much in the mean', () => {
    // All by the later day leave less than the first batch does by its own.
    const [first] = wasteOf(wide(10), [3, 40])
    const [together] = wasteOf(wide(10), [8, 50])
    expect(together).toBeLessThan(first!)
    // Where the first sells out and the next days bring little, the second expires all the same.
    const [one, two] = wasteOf(wide(10), [3, 40], [8, 10])
    expect(one).toBe(first)
    expect(two).toBeGreaterThan(0.1)
    expect(two).toBeLessThan(10)
  })
})

const input = (
  batches: { expiresOn: string; quantity: number; batch?: string }[] | null,
  more: Partial<ProposalInput['planning']> = {},
): ProposalInput => ({
  asOf: '2026-03-01',
  forecast: certain(2),
  position: { onHand: 30, onOrder: 0, openProposals: 0, ...(batches && { batches }) },
  planning: {
    ...{ leadTimeDays: 7, reviewPeriodDays: 7, moq: 1, lotSize: 1, supplier: null },
    ...more,
  },
  policy: { reviewPeriodDays: 7, target: { quantile: 0.9 }, supplierRequired: false },
})

describe('a proposal of stock that expires', () => {
  it('counts what sells before its date, and no more: an expired or nearly expired unit hides no need', () => {
    expect(propose(input(null)).kind).toBe('none')
    const old = propose(input([{ expiresOn: '2026-02-28', quantity: 20 }]))
    expect(old).toMatchObject({
      kind: 'order',
      quantity: 18,
      calculation: { onHand: 30, expiring: 20, netRequirement: 18 },
    })
    // Until its last day, the 2nd of March, 4 of its 20 are sold.
    const near = propose(input([{ expiresOn: '2026-03-02', quantity: 20 }]))
    expect(near).toMatchObject({ kind: 'order', calculation: { expiring: 16 } })
    expect((near as { rationale: string }).rationale).toContain(
      '30 on hand, of which 16 will expire unsold',
    )
  })

  it('proposes nothing on top of what sells in time', () => {
    expect(propose(input([{ expiresOn: '2026-03-20', quantity: 30 }])).kind).toBe('none')
  })

  it('tells what will not sell, a batch each, and counts no batch beyond the stock on hand', () => {
    const batches = [
      { batch: 'B-1', expiresOn: '2026-03-02', quantity: 20 },
      { batch: 'B-2', expiresOn: '2026-06-30', quantity: 50 },
    ]
    expect(openOrderMessages(input(batches), 0.9)).toEqual([
      expect.objectContaining({
        ...{ kind: 'expiring_stock', document: 'B-1', quantity: 16, from: '2026-03-02' },
        message: expect.stringMatching(/sell them off, or transfer them/),
      }),
    ])
  })
})

it('a unit that expires lowers the target: what is lost is its whole cost', () => {
  const costs = { stockoutRate: 0.4, carryingRate: 0.25 }
  const target = (shelfLifeDays: number | null, unmetDemand?: 'lost') => {
    const of: ProposalInput = {
      ...input(null, { shelfLifeDays }),
      forecast: wide(2),
      position: { onHand: 0, onOrder: 0, openProposals: 0 },
    }
    const policy = { ...of.policy, target: { ...costs, ...(unmetDemand && { unmetDemand }) } }
    const result = propose({ ...of, policy })
    return 'calculation' in result ? result.calculation.targetQuantile : NaN
  }
  for (const unmet of [undefined, 'lost'] as const) {
    const levels = [7, 14, 30, 90, null].map((days) => target(days, unmet))
    expect(levels).toEqual(levels.toSorted())
    expect(levels[0]).toBeLessThan(levels.at(-1)!)
  }
})
