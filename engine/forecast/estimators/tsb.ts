import { meanSale, type Series } from '../series.ts'

const SIZE_CONSTANT = 0.02

/** Teunter, Syntetos, Babai 2011: chance of a sale a step × its size, the chance falling without sales. */
export function tsb(series: Series, constant: number, path: Float64Array): void {
  const { capped, length } = series
  let size = meanSale(series)
  let chance = series.sales / Math.max(1, length)
  path[0] = chance * size
  for (let t = 0; t < length; t++) {
    const demand = capped[t]!
    if (demand > 0) {
      chance += constant * (1 - chance)
      size += SIZE_CONSTANT * (demand - size)
    } else chance -= constant * chance
    path[t + 1] = chance * size
  }
}
