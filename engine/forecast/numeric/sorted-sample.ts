import { LEVELS } from './levels.ts'

/** Sorts `values[0..count)` ascending, in place, and moves `companions` along (Shell's sort, Ciura's gaps). */
export function sortTogether(values: Float64Array, companions: Float64Array, count: number): void {
  for (const gap of GAPS) {
    for (let i = gap; i < count; i++) {
      const value = values[i]!
      const companion = companions[i]!
      let j = i
      for (; j >= gap && values[j - gap]! > value; j -= gap) {
        values[j] = values[j - gap]!
        companions[j] = companions[j - gap]!
      }
      values[j] = value
      companions[j] = companion
    }
  }
}

const GAPS = [301, 132, 57, 23, 10, 4, 1]

/** P10, P50, P90 of a weighted sample: the least value with at least that share of the weight up to it. */
export function weightedQuantiles(
  ascending: Float64Array,
  weights: Float64Array,
  count: number,
  out: Float64Array,
  at: number,
): void {
  let total = 0
  for (let i = 0; i < count; i++) total += weights[i]!
  let cumulative = 0
  let k = -1
  for (let i = 0; i < 3; i++) {
    const share = LEVELS[i]! * total * (1 - 1e-12)
    while (k < count - 1 && (k < 0 || cumulative < share)) cumulative += weights[++k]!
    out[at + i] = ascending[k]!
  }
}
