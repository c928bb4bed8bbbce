import { actedRatio, type PastStock } from '../../../engine/inventory/acted-ratio.ts'
import { live, makeCompany } from './companies.ts'

/** From 2 : 1 to 100 : 1, each as much more as the one before. */
const RATIOS = Array.from({ length: 20 }, (_, nth) => 2 * 50 ** (nth / 19))

const isWithinAThird = (found: number, truth: number) => Math.abs(found / truth - 1) <= 1 / 3

const found = (weeks: number, nth: number, more = {}) =>
  actedRatio(live(makeCompany(100 + nth, weeks, 200, more), 500 + nth))

const pair = (daysInStock: number, stockouts: number): PastStock => ({
  ...{ weight: 1, daysInStock, stockouts, shortages: stockouts },
})

describe('the ratio of costs that a company acted by', () => {
  it.each([
    ['knows its demand', {}, 20],
    ['is wrong about the demand of a pair by a tenth', { error: 0.1 }, 20],
    ['loses what finds no stock', { isLost: true }, 17],
  ])('is found within a third where it %s', (_, more, least) => {
    const near = RATIOS.filter((weeks, nth) => {
      const ratio = found(weeks, nth, more)
      return ratio && isWithinAThird(ratio.weeks, weeks)
    })
    expect(near.length).toBeGreaterThanOrEqual(least)
  })

  it('lies within its band in nine of ten', () => {
    const within = RATIOS.filter((weeks, nth) => {
      const ratio = found(weeks, nth)!
      return ratio.low <= weeks && weeks <= ratio.high
    })
    expect(within.length).toBeGreaterThanOrEqual(18)
  })

  it('is days in stock for each stockout, by hand', () => {
    const ratio = actedRatio(Array.from({ length: 100 }, () => pair(350, 5)))!
    expect(ratio).toMatchObject({ weeks: 10, pairs: 100, stockouts: 500 })
    expect(ratio.high / ratio.weeks).toBeCloseTo(ratio.weeks / ratio.low)
  })

  it('cannot be told by few stockouts, by one pair that has them all, or by none', () => {
    expect(actedRatio([pair(365, 4), pair(365, 5)])).toBeNull()
    expect(
      actedRatio([pair(300, 60), ...Array.from({ length: 50 }, () => pair(365, 0))]),
    ).toBeNull()
    expect(actedRatio([])).toBeNull()
  })
})
