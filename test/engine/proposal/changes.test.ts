import {
  inputChanges,
  isGone,
  isMaterial,
  isStale,
  propose,
} from '../../../engine/proposal/index.ts'
import { input } from './input.ts'
import type { ProposalState } from '../../../engine/proposal/index.ts'

const before: ProposalState = { quantity: 120, lotSize: 40, urgency: 'due' }

describe('a rejected proposal', () => {
  it.each<[string, Partial<ProposalState>, boolean]>([
    ['nothing moved', {}, false],
    ['a fifth more, which is less than a lot', { quantity: 144 }, false],
    ['one lot more', { quantity: 160 }, true],
    ['one lot less', { quantity: 80 }, true],
    ['nothing is needed any more', { quantity: 0, urgency: null }, false],
    ['the urgency got worse', { urgency: 'stockout_before_arrival' }, true],
    ['the urgency eased', { urgency: 'ahead' }, false],
  ])('comes back or not: %s', (_what, change, expected) => {
    expect(isMaterial(before, { ...before, ...change })).toBe(expected)
  })

  it('stays away for one lot of many', () => {
    expect(isMaterial({ ...before, quantity: 400 }, { ...before, quantity: 440 })).toBe(false)
  })
})

describe('what a rejection was about', () => {
  const at = (onHand: number) => {
    const result = propose(input({ position: { onHand } }))
    if (result.kind === 'blocked') throw new Error('blocked')
    return result.calculation
  }

  it('has gone once stock covers it by a lot, and not where the need only wavers about nothing', () => {
    const least = at(119)
    expect(least).toMatchObject({ netRequirement: 1, quantity: 40, lotSize: 40 })
    const later = [100, 119, 121, 158, 159, 1000].map((onHand) => isGone(least, at(onHand)))
    expect(later).toEqual([false, false, false, false, true, true])
  })
})

describe('a stale proposal', () => {
  it('differs from today by more than the tolerance and by a lot', () => {
    const at = (quantity: number) => isStale(before, { quantity, lotSize: 40 }, 0.2)
    expect([120, 159, 160, 80, 0].map(at)).toEqual([false, false, true, true, true])
    expect(isStale({ quantity: 400, lotSize: 40 }, { quantity: 440, lotSize: 40 }, 0.2)).toBe(false)
  })

  it('can be explained by the inputs that moved', () => {
    const now = (onHand: number) => {
      const result = propose(input({ position: { onHand } }))
      if (result.kind === 'blocked') throw new Error('blocked')
      return result.calculation
    }
    expect(inputChanges(now(12), now(100))).toEqual([
      { input: 'onHand', before: 12, after: 100 },
      { input: 'quantity', before: 120, after: 40 },
    ])
    const freeFreight = { units: 40, from: 320, freightCost: 20, carryingCost: 1 }
    expect(inputChanges({ ...now(12), freeFreight }, now(12))).toEqual([
      { input: 'freeFreight', before: 40, after: 0 },
    ])
  })
})
