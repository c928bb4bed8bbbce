import { meanSale, type Series } from '../series.ts'
import { MOST_PATHS } from './fit.ts'

const sizes = new Float64Array(MOST_PATHS)
const intervals = new Float64Array(MOST_PATHS)

/**
 * Syntetos & Boylan 2005: size over interval, both smoothed at sales. Their correction of the bias is
 * faded out as the interval nears one step, where there is none. A silence longer than twice the
 * interval counts as a longer interval, so that the level of a SKU that ceased to sell falls.
 */
export function sba(series: Series, constants: Float64Array, paths: Float64Array): void {
  const { capped, length } = series
  const count = constants.length
  const interval = Math.max(1, length / Math.max(1, series.sales))
  sizes.fill(meanSale(series))
  intervals.fill(interval)
  for (let i = 0; i < count; i++) paths[i] = corrected(sizes[i]!, interval, constants[i]!)
  let since = 0
  for (let t = 0, at = count; t < length; t++) {
    since++
    const demand = capped[t]!
    for (let i = 0; i < count; i++, at++) {
      const constant = constants[i]!
      if (demand > 0) {
        sizes[i]! += constant * (demand - sizes[i]!)
        intervals[i]! += constant * (since - intervals[i]!)
        paths[at] = corrected(sizes[i]!, intervals[i]!, constant)
      } else if (since > 2 * intervals[i]!) paths[at] = 2 * corrected(sizes[i]!, since, constant)
      else paths[at] = paths[at - count]!
    }
    if (demand > 0) since = 0
  }
}

const corrected = (size: number, interval: number, constant: number) =>
  (size / interval) * (1 - (constant / 2) * (1 - 1 / interval))
