import { sortTogether } from '../numeric/sorted-sample.ts'
import type { Series } from '../series.ts'
import { strideFor } from './fit.ts'

/** The sums of past windows of one length, ascending, with the age of each in days. */
export interface WindowSums {
  sums: Float64Array
  ages: Float64Array
}

const MAX_WINDOWS = 128
const collected = new WeakMap<Series, { horizons: readonly number[]; windows: WindowSums[] }>()

/** Computed once for a series and shared by the methods that weight them. */
export function windowSums(series: Series, horizons: readonly number[]): WindowSums[] {
  const known = collected.get(series)
  if (known?.horizons === horizons) return known.windows
  const windows = horizons.map((horizon) => collect(series, horizon))
  collected.set(series, { horizons, windows })
  return windows
}

function collect({ length, stepDays, sums: before }: Series, horizon: number): WindowSums {
  const available = Math.max(0, length - horizon + 1)
  const stride = strideFor(available, MAX_WINDOWS, stepDays)
  const count = available ? Math.ceil(available / stride) : 0
  const sums = new Float64Array(count)
  const ages = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    const start = length - horizon - i * stride
    sums[i] = before[start + horizon]! - before[start]!
    ages[i] = i * stride * stepDays
  }
  sortTogether(sums, ages, count)
  return { sums, ages }
}
