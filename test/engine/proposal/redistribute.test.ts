import fc, { setRuns } from '../../support/properties.ts'
import { addDays, propose, redistribute } from '../../../engine/proposal/index.ts'
import type { ProposalInput, RedistributionPair } from '../../../engine/proposal/index.ts'
import { anyInput } from './any-input.ts'
import { input, type Overrides, steadyDemand } from './input.ts'

setRuns(500)

/** Ten a day, P90 14 a day; 21 days to protect: a target of 294. */
const at = (location: string, onHand: number, overrides: Overrides = {}): RedistributionPair =>
  pairOf(
    location,
    input({
      forecast: steadyDemand(10),
      ...overrides,
      position: { onHand, onOrder: 0, ...overrides.position },
    }),
  )
const pairOf = (location: string, each: ProposalInput) => ({
  location,
  input: each,
  result: propose(each),
})

describe('redistribution', () => {
  it('moves what one location has too much to where it is short', () => {
    expect(redistribute([at('L1', 1000), at('L2', 200)])).toEqual([
      { from: 'L1', to: 'L2', quantity: 94 },
    ])
  })

  it('ignores an overstock below the threshold', () => {
    expect(redistribute([at('L1', 500), at('L2', 200)])).toEqual([])
    const rule = { surplusDays: 14, minimumQuantity: 1 }
    expect(redistribute([at('L1', 500), at('L2', 200)], rule)).toHaveLength(1)
  })

  it('serves the most urgent first, from the one with the most days too many', () => {
    const pairs = [at('L1', 620), at('L2', 700), at('L3', 250), at('L4', 0)]
    expect(redistribute(pairs)).toEqual([
      { from: 'L2', to: 'L4', quantity: 294 },
      { from: 'L2', to: 'L3', quantity: 44 },
    ])
  })

  it('gives nothing that is still to come, and nothing that is needed before it comes', () => {
    const late = { position: { receipts: [{ date: '2026-12-05', quantity: 5000 }] } }
    expect(redistribute([at('L1', 210, late), at('L2', 0)])).toEqual([])
    const [transfer] = redistribute([at('L1', 600, late), at('L2', 0)])
    // 15 days until the receipt, P90 14 a day: 210 must stay.
    expect(transfer).toEqual({ from: 'L1', to: 'L2', quantity: 294 })
    const [most] = redistribute([at('L1', 500, late), at('L2', 0)])
    expect(most).toEqual({ from: 'L1', to: 'L2', quantity: 290 })
  })

  it('gives nothing that expires before it is wanted', () => {
    const expiring = (days: number, quantity: number) => ({
      position: { batches: [{ batch: 'b', expiresOn: addDays('2026-11-20', days), quantity }] },
      planning: { leadTimeDays: 7 },
    })
    const far = { planning: { leadTimeDays: 60 } }
    const moved = (days: number, quantity: number, onHand = 0) =>
      redistribute([at('L1', 1000, expiring(days, quantity)), at('L2', onHand, far)])
    // Of what can be sold until the 17th day 170 are wanted there until then.
    expect(moved(16, 1000)).toEqual([{ from: 'L1', to: 'L2', quantity: 170 }])
    expect(moved(16, 800)).toEqual([{ from: 'L1', to: 'L2', quantity: 370 }])
    // What is on hand there lasts longer than the batch.
    expect(moved(16, 1000, 200)).toEqual([])
    expect(moved(66, 1000)).toEqual(moved(66, 0))
  })

  it('moves nothing smaller than the least transfer', () => {
    const pairs = [at('L1', 1000), at('L2', 290)]
    expect(redistribute(pairs, { surplusDays: 28, minimumQuantity: 5 })).toEqual([])
  })

  const pairs = fc
    .array(anyInput, { minLength: 1, maxLength: 6 })
    .map((inputs) => inputs.map((each, i) => pairOf(`L${i}`, each)))

  it('neither makes nor loses a unit, and no giver falls short', () => {
    const surplusDays = fc.integer({ min: 0, max: 60 })
    fc.assert(
      fc.property(pairs, surplusDays, (all, days) => {
        const transfers = redistribute(all, { surplusDays: days, minimumQuantity: 1 })
        for (const { location, input: each, result } of all) {
          if (result.kind === 'blocked') throw new Error('blocked')
          const { calculation: c } = result
          const sum = (which: 'from' | 'to') =>
            transfers.reduce((units, t) => (t[which] === location ? units + t.quantity : units), 0)
          expect(sum('from') === 0 || sum('to') === 0).toBe(true)
          expect(sum('to')).toBeLessThan(c.netRequirement + 1)
          if (sum('from') === 0) continue
          expect(sum('from')).toBeLessThanOrEqual(c.onHand)
          const onHand = each.position.onHand! - sum('from')
          const after = propose({
            ...each,
            position: { ...each.position, onHand, openProposals: 0 },
          })
          expect(after).toMatchObject({ calculation: { netRequirement: 0 } })
        }
        for (const { quantity } of transfers) {
          expect(Number.isInteger(quantity) && quantity >= 1).toBe(true)
        }
      }),
    )
  })

  it('does not depend on the order of the locations', () => {
    fc.assert(
      fc.property(pairs, (all) => {
        expect(redistribute([...all].reverse())).toEqual(redistribute(all))
      }),
    )
  })
})
