import {
  contextsOf,
  type DemandHistory,
  EMPTY_CONTEXT,
  forecastPair,
  type LocationContext,
  predictDemand,
  toEpochDay,
  toSteps,
} from '../../../engine/index.ts'
import { daily, noise, until } from '../forecast/demand.ts'

const AS_OF = toEpochDay('2026-11-20')
const DAYS = 400

/** @param empty first and last days of stockouts, counted back from the as-of date */
function withStock(values: number[], empty: number[], seen = DAYS): DemandHistory {
  const stock = {
    seen: Int32Array.from({ length: seen }, (_, i) => AS_OF - seen + i),
    empty: Int32Array.from(empty, (ago) => AS_OF - ago),
  }
  return { ...until(AS_OF, values), stock }
}

const stepsOf = (history: DemandHistory, context: LocationContext = EMPTY_CONTEXT) =>
  toSteps(history, AS_OF, context)
const p50Of = (history: DemandHistory, context = EMPTY_CONTEXT) =>
  predictDemand(forecastPair(history, AS_OF, context), 28).p50
/** Between 10 and 30 a day, but nothing from `from` up to `to` days before the as-of date. */
function brisk(from = 0, to = 0, seed = 3) {
  const random = noise(seed)
  return daily(DAYS, (day) => {
    const value = Math.round(10 + 20 * random())
    const ago = DAYS - day
    return ago <= from && ago >= to ? 0 : value
  })
}

describe('days without stock', () => {
  it.each([1, 2, 3, 4, 5])('that last until today leave the P50 as it was (%s)', (seed) => {
    const [is, would] = [withStock(brisk(21, 1, seed), [21, 1]), until(AS_OF, brisk(0, 0, seed))]
    expect(Math.abs(p50Of(is) / p50Of(would) - 1)).toBeLessThan(0.05)
    expect(p50Of(until(AS_OF, brisk(21, 1, seed)))).toBeLessThan(0.8 * p50Of(would))
  })

  it('are told as a share of the past year', () => {
    const shareOf = (history: DemandHistory) =>
      predictDemand(forecastPair(history, AS_OF, EMPTY_CONTEXT), 28).censoredShare
    expect(shareOf(withStock(brisk(21, 1), [21, 1]))).toBeCloseTo(21 / 365, 3)
    expect(shareOf(withStock(brisk(), []))).toBe(0)
  })

  it('make no history of a young SKU longer', () => {
    const young = [9, 12, 11, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10, 11]
    const p50 = p50Of(withStock(young, [14, 3]))
    expect(p50).toBeGreaterThan(1.5 * p50Of(until(AS_OF, young)))
  })

  it('are cut off at the end, and the rows before them forecast the same days', () => {
    const { values, end, stockoutDays } = stepsOf(withStock(brisk(21, 1), [21, 1]))
    expect([values.length, end, stockoutDays]).toEqual([DAYS - 21, AS_OF - 21, 21])
  })

  it('take the demand of as many weeks before them within the series', () => {
    const whole = brisk()
    const { values, stockouts } = stepsOf(withStock(brisk(40, 30), [40, 30]))
    const from = DAYS - 40
    expect(stockouts).toEqual([{ from, to: from + 11 }])
    expect([...values.subarray(from, from + 11)]).toEqual(whole.slice(from - 14, from - 3))
  })

  it('do not hide that little was sold on the day on which the stock ran out', () => {
    for (const firstDay of [30, 29]) {
      const values = brisk(29, 20)
      const lastSale = DAYS - 30
      values[lastSale] = 1
      values[lastSale - 7] = 25
      expect(stepsOf(withStock(values, [firstDay, 20])).values[lastSale]).toBe(25)
      values[lastSale] = 27
      expect(stepsOf(withStock(values, [firstDay, 20])).values[lastSale]).toBe(27)
    }
  })

  it('tell of the day before them on the morning on which they begin', () => {
    const values = brisk()
    values[DAYS - 1] = 1
    values[DAYS - 8] = 25
    expect(stepsOf(withStock(values, [0, -3])).values.at(-1)).toBe(25)
    expect(stepsOf(withStock(values, [-1, -3])).values.at(-1)).toBe(1)
    expect(stepsOf(withStock(values, [DAYS + 9, DAYS + 1])).values).toEqual(
      Float64Array.from(values),
    )
  })

  it('are days without demand once they have lasted for half a year', () => {
    const { end, stockoutDays, values } = stepsOf(withStock(brisk(200, 1), [200, 1]))
    expect([end, stockoutDays]).toEqual([AS_OF, 0])
    expect([...values.subarray(-18)]).toEqual(new Array(18).fill(0))
    expect(values.at(-19)).toBeGreaterThan(0)
  })

  it('are not known after the as-of date', () => {
    const history = withStock(brisk(), [10, 1])
    const known = until(AS_OF, brisk())
    expect(toSteps(history, AS_OF - 20, EMPTY_CONTEXT).values).toEqual(
      toSteps(known, AS_OF - 20, EMPTY_CONTEXT).values,
    )
  })

  it('make the same forecast in any order of rows', () => {
    const history = withStock(brisk(21, 1), [60, 55, 21, 1])
    const days = history.days.toReversed()
    const quantities = history.quantities.toReversed()
    expect(forecastPair({ ...history, days, quantities }, AS_OF, EMPTY_CONTEXT)).toEqual(
      forecastPair(history, AS_OF, EMPTY_CONTEXT),
    )
  })
})

describe('days with stock', () => {
  it('on which nothing was sold are days without demand', () => {
    const values = brisk(40, 33)
    expect(stepsOf(until(AS_OF, values)).stockouts).not.toEqual([])
    expect(stepsOf(withStock(values, [])).stockouts).toEqual([])
    expect(stepsOf(withStock(values, [9, 9])).values[DAYS - 36]).toBe(0)
  })

  it('are known only where stock was read on most of them', () => {
    expect(stepsOf(withStock(brisk(40, 33), [], 35)).stockouts).not.toEqual([])
  })
})

describe('demand that is booked without stock', () => {
  const rare = daily(DAYS, (day) => (day % 10 === 0 ? 5 : 0))

  it('counts day by day, as if nothing were known of the stock', () => {
    for (const values of [brisk(), rare, brisk(9, 7)]) {
      const plain = stepsOf(until(AS_OF, values))
      expect(stepsOf(withStock(values, [120, 1])).values).toEqual(plain.values)
      expect(stepsOf(withStock(values, [DAYS, 1])).values).toEqual(plain.values)
    }
  })

  it('is known of a slow SKU by the others of its location', () => {
    const history = withStock(
      daily(DAYS, (day) => (day % 40 === 0 ? 5 : 0)),
      [30, 1],
    )
    const contextFor = (others: DemandHistory[]) =>
      contextsOf(
        [history, ...others].map((each) => ({ location: 'L', history: each })),
        AS_OF,
      ).get('L')!
    const orders = [1, 2, 3].map((seed) => withStock(brisk(0, 0, seed), [90, 40]))
    const sales = [1, 2, 3].map((seed) => withStock(brisk(90, 40, seed), [90, 40]))
    expect(stepsOf(history, contextFor(orders)).stockoutDays).toBe(0)
    expect(stepsOf(history, contextFor(sales)).stockoutDays).toBe(30)
  })

  it('is not taken for that because of a few days on which stock came and went', () => {
    const values = brisk(60, 1)
    values[DAYS - 30] = 12
    const { stockoutDays, stockouts } = stepsOf(withStock(values, [60, 1]))
    expect([stockoutDays, stockouts]).toEqual([29, [{ from: DAYS - 60, to: DAYS - 30 }]])
  })
})
