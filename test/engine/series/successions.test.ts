import {
  EMPTY_CONTEXT,
  forecastPair,
  inheritancesOf,
  inheritedModel,
  mergeHistories,
  predictDemand,
  predictUntil,
  sharesBefore,
} from '../../../engine/index.ts'

const asOf = 20_000

/** So many a day of the last days. */
const steady = (quantity: number, days = 300) => ({
  days: Int32Array.from({ length: days }, (_, i) => asOf - days + i),
  quantities: new Float64Array(days).fill(quantity),
})
const NONE = steady(0, 0)

/** The median of so many days, of what follows SKUs that end in so many days. */
function medianOf(own: typeof NONE, ending: [quantity: number, inDays: number][], horizon: number) {
  const former = ending.map(([quantity, inDays]) => ({
    history: steady(quantity),
    endsOn: asOf + inDays,
  }))
  const histories = former.map(({ history }) => history)
  const takesOverOn = Math.min(...former.map(({ endsOn }) => endsOn))
  const model = forecastPair(mergeHistories(own, histories, takesOverOn), asOf, EMPTY_CONTEXT)
  return predictDemand(inheritedModel(model, sharesBefore(own, former, asOf)), horizon).p50
}

describe('a SKU that follows another', () => {
  it('has no demand before the day', () => {
    expect(medianOf(NONE, [[10, 20]], 20)).toBe(0)
    expect(medianOf(NONE, [[10, 20]], 28)).toBe(80)
    expect(medianOf(NONE, [[10, -1]], 28)).toBe(280)
  })

  it('has its own until then, and not that of the other, which is asked for itself', () => {
    const median = (days: number) => medianOf(steady(5), [[10, 20]], days)
    expect(median(20)).toBe(100)
    expect(median(28)).toBe(100 + 8 * 15)
    // A sample is no demand of ten a day.
    expect(medianOf(steady(1, 1), [[10, 60]], 28)).toBeLessThan(40)
  })

  it('takes over from each of several on its own day', () => {
    const median = (days: number) =>
      medianOf(
        NONE,
        [
          [10, -5],
          [4, 20],
        ],
        days,
      )
    expect(median(20)).toBe(200)
    expect(median(28)).toBe(200 + 8 * 14)
  })

  it('waits for the end of the one that hands on', () => {
    const [first, second, third] = [1, 2, 3]
    const found = inheritancesOf([
      { series: first, sku: 'A', heir: second, phaseOutOn: asOf - 60 },
      { series: second, sku: 'B', heir: third, phaseOutOn: asOf + 5 },
    ])
    expect(found.get(third)).toEqual({
      ...{ predecessors: [first, second], endings: [asOf + 5, asOf + 5], takesOverOn: asOf + 5 },
    })
    expect(found.get(second)).toMatchObject({ predecessors: [first], endings: [asOf - 60] })
  })
})

it('a SKU that is phased out is asked for until its day', () => {
  const model = forecastPair(steady(10), asOf, EMPTY_CONTEXT)
  expect(predictUntil(model, 28, asOf + 20).p50).toBe(200)
  expect(predictUntil(model, 28, asOf - 1)).toMatchObject({ p10: 0, p50: 0, p90: 0, drivers: [] })
  expect(predictUntil(model, 28, null)).toEqual(predictDemand(model, 28))
})
