import { predictDemand, EMPTY_CONTEXT, forecastPair, toEpochDay } from '../../../engine/index.ts'
import { stockoutRuns } from '../../../engine/series/stockouts.ts'
import { daily, noise, until } from '../forecast/demand.ts'

const AS_OF = toEpochDay('2026-11-20')
const DAYS = 500

/** Demand of about `mean` a day, between .6 and 1.4 of it. */
function demand(mean: number, seed: number): number[] {
  const random = noise(seed)
  return daily(DAYS, () => Math.max(0, Math.round(mean * (0.6 + 0.8 * random()) + random() - 0.5)))
}

/** A tenth of the days without anything to sell, in runs of `length`. */
function withStockouts(values: number[], length: number, seed: number): number[] {
  const random = noise(seed)
  const censored = new Set<number>()
  while (censored.size < DAYS / 10) {
    const from = 5 + Math.floor(random() * (DAYS - 15 - length))
    for (let day = from; day < from + length; day++) censored.add(day)
  }
  return values.map((value, day) => (censored.has(day) ? 0 : value))
}

const modelOf = (values: number[]) => forecastPair(until(AS_OF, values), AS_OF, EMPTY_CONTEXT)

describe('days without stock', () => {
  it.each([
    [5, 7],
    [5, 14],
    [20, 3],
    [20, 7],
    [100, 3],
    [100, 14],
  ])(
    'cost a forecast of %s a day less than a fifth of their bias, in runs of %s',
    (mean, length) => {
      let [full, censored, found] = [0, 0, 0]
      for (let seed = 1; seed <= 20; seed++) {
        const values = demand(mean, seed)
        const corrected = predictDemand(modelOf(withStockouts(values, length, seed)), 28)
        full += predictDemand(modelOf(values), 28).p50
        censored += corrected.p50
        if (corrected.drivers.includes('stockout_correction')) found++
      }
      expect(Math.abs(1 - censored / full)).toBeLessThan(0.2 * 0.1)
      expect(found).toBeGreaterThanOrEqual(18)
    },
  )

  it('are not seen where there were none', () => {
    for (const mean of [0.5, 2, 5, 20])
      for (let seed = 1; seed <= 20; seed++)
        expect(stockoutRuns(Float64Array.from(demand(mean, seed)))).toEqual([])
  })

  it.each([
    ['slow demand', (day: number) => (day % 4 ? 0 : 3)],
    ['weekends without sales', (day: number) => (day % 7 > 4 ? 0 : 9)],
    ['a season of three months', (day: number) => (day > 200 && day < 290 ? 0 : 9)],
    ['a SKU that ceased to sell', (day: number) => (day > DAYS - 15 ? 0 : 9)],
  ])('are not seen in %s', (_, of) => {
    expect(stockoutRuns(Float64Array.from(daily(DAYS, of)))).toEqual([])
  })

  it('are seen between weekends without sales', () => {
    const values = daily(DAYS, (day) => (day % 7 > 4 || (day >= 300 && day < 308) ? 0 : 9))
    const runs = stockoutRuns(Float64Array.from(values))
    expect(runs).toHaveLength(1)
    expect(runs[0]!.from).toBeLessThanOrEqual(300)
    expect(runs[0]!.to).toBeGreaterThanOrEqual(308)
  })
})
