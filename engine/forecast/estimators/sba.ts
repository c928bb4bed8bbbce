import { meanSale, type Series } from '../series.ts'

/**
 * Syntetos & Boylan 2005: size over interval, both smoothed at sales. Their correction of the bias is
 * faded out as the interval nears one step, where there is none. A silence longer than twice the
 * interval counts as a longer interval, so that the level of a SKU that ceased to sell falls.
 */
export function sba(series: Series, constant: number, path: Float64Array): void {
  const { capped, length } = series
  let size = meanSale(series)
  let interval = Math.max(1, length / Math.max(1, series.sales))
  let since = 0
  let level = corrected(size, interval, constant)
  path[0] = level
  for (let t = 0; t < length; t++) {
    since++
    const demand = capped[t]!
    if (demand > 0) {
      size += constant * (demand - size)
      interval += constant * (since - interval)
      since = 0
      level = corrected(size, interval, constant)
    } else if (since > 2 * interval) level = 2 * corrected(size, since, constant)
    path[t + 1] = level
  }
}

const corrected = (size: number, interval: number, constant: number) =>
  (size / interval) * (1 - (constant / 2) * (1 - 1 / interval))
