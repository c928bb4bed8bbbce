import type { Series } from '../series.ts'
import { MOST_PATHS } from './fit.ts'

const averaged = new Float64Array(MOST_PATHS)

/** Simple exponential smoothing; the first steps are averaged until the constant takes over. */
export function smoothing(
  { capped, length }: Series,
  constants: Float64Array,
  paths: Float64Array,
): void {
  const count = constants.length
  let start = 0
  for (let i = 0; i < count; i++) {
    paths[i] = length ? capped[0]! : 0
    averaged[i] = Math.ceil(1 / constants[i]!)
    start = Math.min(length, Math.max(start, averaged[i]!))
  }
  for (let t = 0, at = 0; t < start; t++) {
    const demand = capped[t]!
    for (let i = 0; i < count; i++, at++) {
      const off = demand - paths[at]!
      paths[at + count] = paths[at]! + (t < averaged[i]! ? off / (t + 1) : constants[i]! * off)
    }
  }
  for (let t = start, at = start * count; t < length; t++) {
    const demand = capped[t]!
    for (let i = 0; i < count; i++, at++)
      paths[at + count] = paths[at]! + constants[i]! * (demand - paths[at]!)
  }
}
