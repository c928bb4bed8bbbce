// What other targets, lead times and budgets would mean.
import { propose, simulatePair, spreadStock } from '../../../engine/proposal/index.ts'
import { input as anInput } from './input.ts'

const LEVELS = [0.5, 0.8, 0.9, 0.95, 0.99]

describe('a pair', () => {
  it('has more stock and less shortage the higher its target', () => {
    const { at } = simulatePair(anInput(), LEVELS)!
    for (const [before, after] of at.slice(1).map((each, n) => [at[n]!, each] as const)) {
      expect(after.stock).toBeGreaterThanOrEqual(before.stock)
      expect(after.short).toBeLessThanOrEqual(before.short + 1e-9)
      expect(after.stockoutChance).toBeLessThanOrEqual(before.stockoutChance + 1e-9)
    }
    expect(at.at(-1)!.stock).toBeGreaterThan(at[0]!.stock)
  })

  it('has the target of its proposal as its own', () => {
    const input = anInput()
    const proposed = propose(input)
    const { target, own } = simulatePair(input, [])!
    expect(proposed).toMatchObject({ calculation: { targetQuantile: target } })
    const { at } = simulatePair(input, [target])!
    expect(at).toEqual([own])
  })

  it('needs more stock for the same target where the lead time is longer', () => {
    const [short, usual, long] = [-3, 0, 14].map(
      (days) => simulatePair(anInput(), [0.95], days)!.at[0]!,
    )
    expect(usual!.stock).toBeGreaterThanOrEqual(short!.stock)
    expect(long!.stock).toBeGreaterThan(usual!.stock)
    expect(simulatePair(anInput(), [0.95], -999)!.at[0]!.stock).toBeGreaterThanOrEqual(0)
  })

  it('is left out where its stock is not known, or it is phased out', () => {
    const input = anInput()
    expect(simulatePair({ ...input, position: { ...input.position, onHand: null } }, [])).toBeNull()
    expect(simulatePair({ ...input, forecast: { ...input.forecast, until: 20 } }, [])).toBeNull()
  })
})

describe('a budget of stock', () => {
  const groups = [
    { stock: [10, 20, 40], short: [9, 4, 3] },
    { stock: [5, 8, 9], short: [6, 5, 1] },
  ]

  it('goes to the steps that avert most for their money', () => {
    // The second group's way to 9 averts 5 for 4, the first one's to 20 averts 5 for 10, to 40 1 for 20.
    expect(spreadStock(groups, 15)).toEqual([0, 0])
    expect(spreadStock(groups, 19)).toEqual([0, 2])
    expect(spreadStock(groups, 29)).toEqual([1, 2])
    expect(spreadStock(groups, 49)).toEqual([2, 2])
  })

  it('is too small for the lowest targets: null', () => {
    expect(spreadStock(groups, 14)).toBeNull()
    expect(spreadStock([], 0)).toEqual([])
  })

  it('is never worse than one target for all, and never exceeded', () => {
    const curves = [1, 2, 3, 4, 5].map((size) => ({
      stock: LEVELS.map((level) => size * (10 + 8 / (1.05 - level))),
      short: LEVELS.map((level) => (7 - size) * (1 - level)),
    }))
    const sum = (name: 'stock' | 'short', chosen: number[]) =>
      curves.reduce((total, curve, at) => total + curve[name][chosen[at]!]!, 0)
    for (const at of LEVELS.keys()) {
      const same = curves.map(() => at)
      const budget = sum('stock', same)
      const spread = spreadStock(curves, budget + 1e-9)!
      expect(sum('stock', spread)).toBeLessThanOrEqual(budget + 1e-6)
      // The greedy way may leave less than one step of the budget unspent.
      const before = at
        ? sum(
            'short',
            curves.map(() => at - 1),
          )
        : sum('short', same)
      expect(sum('short', spread)).toBeLessThanOrEqual(before)
    }
  })
})
