import {
  dayOverrides,
  type ForecastModel,
  type ForecastOverride,
  overriddenDistribution,
  overriddenQuantiles,
  OverrideBook,
  predictQuantiles,
  quantileOf,
  type SelectedOverride,
} from '../../../engine/index.ts'
import { demandOver } from '../../../engine/inventory/demand.ts'
import { demandOf } from '../../../srv/domain/proposals/terms/source-inputs.ts'

const AS_OF = 20_000
const model: ForecastModel = {
  asOf: AS_OF,
  calendar: { kind: 'daily' },
  stepCounts: [1, 7, 28, 90],
  p10: [0, 6, 30, 110],
  p50: [2, 14, 56, 180],
  p90: [5, 25, 80, 240],
  confidence: ['low', 'medium', 'high', 'medium'],
  drivers: ['level'],
}
/** A spare part that hardly anybody asks for. */
const rare: ForecastModel = {
  ...model,
  p10: [0, 0, 0, 0],
  p50: [0, 0, 0, 1],
  p90: [0, 1, 2, 4],
  counts: { pack: 1, mean: [0.02, 0.15, 0.6, 1.9], variance: [0.02, 0.16, 0.7, 2.4] },
}

let numbers = 0
const override = (values: Partial<SelectedOverride>): SelectedOverride => ({
  ...{ ID: ++numbers, sku: '', location: '', group: '', from: AS_OF, to: AS_OF + 27 },
  ...{ percent: null, units: null, reason: 'fair' },
  ...values,
})
const alone = (values: Partial<ForecastOverride>, of = model) =>
  dayOverrides(of, [override(values)], () => 1)

describe('an override by a percentage', () => {
  it('counts what its days add to each quantile that much more', () => {
    const raised = alone({ percent: 50 })
    expect(overriddenQuantiles(model, raised, 28)).toEqual({ p10: 45, p50: 84, p90: 120 })
    expect(overriddenQuantiles(model, raised, 7)).toEqual({ p10: 9, p50: 21, p90: 38 })
    // 56 + 34 of the last five weeks or so, which nobody has raised
    expect(overriddenQuantiles(model, raised, 90).p50).toBe(180 + 28)
    expect(overriddenQuantiles(model, alone({ percent: -100 }), 28).p90).toBe(0)
  })

  it('leaves the days before and after it alone', () => {
    const later = alone({ percent: 100, from: AS_OF + 7, to: AS_OF + 27 })
    expect(overriddenQuantiles(model, later, 7)).toEqual(predictQuantiles(model, 7))
    expect(overriddenQuantiles(model, later, 28).p50).toBe(14 + 2 * 42)
    expect(alone({ percent: 20, from: AS_OF - 9, to: AS_OF - 1 })).toEqual([])
    expect(alone({ percent: 20, from: AS_OF + 90, to: AS_OF + 99 })).toEqual([])
  })

  it('raises the count that rare demand is', () => {
    const before = overriddenDistribution(rare, [], 28).counts!
    const raised = overriddenDistribution(rare, alone({ percent: 300 }, rare), 28)
    expect(raised.counts!.mean).toBeCloseTo(4 * before.mean)
    expect(quantileOf(raised, 0.95)).toBeGreaterThan(
      quantileOf({ ...raised, counts: before }, 0.95),
    )
  })
})

describe('an override to a number', () => {
  it.each([
    ['more than expected', 84],
    ['less', 20],
    ['nothing', 0],
    ['many times more', 5600],
  ])('makes the median of its days exactly that: %s', (_, units) => {
    const { p10, p50, p90 } = overriddenQuantiles(model, alone({ units }), 28)
    expect(p50).toBe(units)
    expect(p10).toBeLessThanOrEqual(p50)
    expect(p90).toBeGreaterThanOrEqual(p50)
    expect(overriddenQuantiles(model, alone({ units }), 90).p50).toBe(units + 124)
  })

  it('holds for a part that nobody was expected to ask for, without absurd quantiles', () => {
    const set = alone({ units: 100 }, rare)
    expect(overriddenQuantiles(rare, set, 28)).toEqual({ p10: 100, p50: 100, p90: 102 })
    expect(quantileOf(overriddenDistribution(rare, set, 28), 0.99)).toBeLessThan(130)
    const few = overriddenDistribution(rare, alone({ units: 3 }, rare), 28)
    expect(few.counts!.mean).toBeCloseTo(3.6)
  })

  it('of 0 leaves nothing, also of a part whose median is 0 anyway', () => {
    const none = overriddenDistribution(rare, alone({ units: 0 }, rare), 28)
    expect(none).toMatchObject({ p10: 0, p50: 0, p90: 0 })
    expect(quantileOf(none, 0.99)).toBe(0)
  })

  it('is shared evenly over its days, those that are gone by too', () => {
    const half = alone({ units: 100, from: AS_OF - 14, to: AS_OF + 13 })
    expect(overriddenQuantiles(model, half, 14).p50).toBe(50)
    const beyond = alone({ units: 200, from: AS_OF + 80, to: AS_OF + 99 })
    expect(overriddenQuantiles(model, beyond, 90).p50 - predictQuantiles(model, 80).p50).toBe(100)
  })

  it('is shared among pairs by what is expected of them', () => {
    const group = override({ group: 'TOOLS', units: 300 })
    const twice: ForecastModel = { ...model, p50: model.p50.map((units) => 2 * units) }
    const book = new OverrideBook([group], new Map([[group.ID, { units: 168, pairs: 2 }]]))
    const pair = { sku: 'A', location: 'L1', group: 'TOOLS' }
    expect(overriddenQuantiles(model, book.of(pair, model), 28).p50).toBe(100)
    expect(overriddenQuantiles(twice, book.of(pair, twice), 28).p50).toBe(200)
    const none = new OverrideBook([group], new Map([[group.ID, { units: 0, pairs: 3 }]]))
    expect(overriddenQuantiles(rare, none.of(pair, rare), 28).p50).toBe(100)
  })
})

describe('several overrides', () => {
  const pair = { sku: 'A', location: 'L1', group: 'TOOLS' }
  const all = [
    override({ sku: 'A', location: 'L1', percent: 100, from: AS_OF + 7, to: AS_OF + 13 }),
    override({ group: 'TOOLS', percent: 50 }),
    override({ location: 'L2', percent: 900 }),
    override({ sku: 'B', percent: 900 }),
    override({ group: 'TOYS', percent: 900 }),
    override({ percent: 10 }),
  ]

  it('count on each day by the most specific one, in whatever order they come', () => {
    const expected = [
      { percent: 50, from: 0, to: 7 },
      { percent: 100, from: 7, to: 14 },
      { percent: 50, from: 14, to: 28 },
    ]
    expect(new OverrideBook(all).of(pair, model)).toMatchObject(expected)
    expect(new OverrideBook(all.toReversed()).of(pair, model)).toMatchObject(expected)
  })

  it('count by the one that was said last where they name as much', () => {
    const again = [...all, override({ group: 'TOOLS', percent: 0, to: AS_OF + 6 })]
    expect(new OverrideBook(again).of(pair, model)[0]).toMatchObject({ percent: 0, from: 0, to: 7 })
    expect(new OverrideBook(again).of({ ...pair, group: 'TOYS', sku: 'C' }, model)).toMatchObject([
      { percent: 900 },
    ])
  })

  it('never make a quantile fall with the horizon, or cross another', () => {
    const book = new OverrideBook([
      ...all,
      override({ sku: 'A', units: 7, from: AS_OF + 40, to: AS_OF + 60 }),
    ])
    const overrides = book.of(pair, model)
    let before = { p10: 0, p50: 0, p90: 0 }
    for (let horizon = 1; horizon <= 90; horizon++) {
      const now = overriddenQuantiles(model, overrides, horizon)
      expect(now.p10).toBeLessThanOrEqual(now.p50)
      expect(now.p50).toBeLessThanOrEqual(now.p90)
      for (const level of ['p10', 'p50', 'p90'] as const)
        expect(now[level]).toBeGreaterThanOrEqual(before[level])
      before = now
    }
  })
})

it('days after the 90th go on as the forecast does, not as the override', () => {
  const plain = demandOf(model)
  const raised = demandOf(model, undefined, alone({ percent: 100 }))
  expect(demandOver(raised, 120).p50 - demandOver(plain, 120).p50).toBeCloseTo(56)
  expect(raised.at(28).p50).toBe(112)
  expect(raised.statistical!.at(28)).toEqual(plain.at(28))
})
