import { meanSale, type Series } from '../series.ts'
import { MOST_PATHS } from './fit.ts'

const SIZE_CONSTANT = 0.02

const chances = new Float64Array(MOST_PATHS)

/** Teunter, Syntetos, Babai 2011: chance of a sale a step × its size, the chance falling without sales. */
export function tsb(series: Series, constants: Float64Array, paths: Float64Array): void {
  const { capped, length } = series
  const count = constants.length
  let size = meanSale(series)
  chances.fill(series.sales / Math.max(1, length))
  for (let i = 0; i < count; i++) paths[i] = chances[i]! * size
  for (let t = 0, at = count; t < length; t++) {
    const demand = capped[t]!
    if (demand > 0) size += SIZE_CONSTANT * (demand - size)
    for (let i = 0; i < count; i++, at++) {
      const chance = chances[i]!
      const next =
        demand > 0 ? chance + constants[i]! * (1 - chance) : chance - constants[i]! * chance
      chances[i] = next
      paths[at] = next * size
    }
  }
}
