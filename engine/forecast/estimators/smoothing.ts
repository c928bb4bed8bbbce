import type { Series } from '../series.ts'

/** Simple exponential smoothing; the first steps are averaged until the constant takes over. */
export function smoothing(series: Series, constant: number, path: Float64Array): void {
  const { capped, length } = series
  let level = length ? capped[0]! : 0
  path[0] = level
  const start = Math.min(length, Math.ceil(1 / constant))
  for (let t = 0; t < start; t++) path[t + 1] = level += (capped[t]! - level) / (t + 1)
  for (let t = start; t < length; t++) path[t + 1] = level += constant * (capped[t]! - level)
}
