import type { DemandHistory, EpochDay } from '../../../engine/index.ts'

/** Uniform numbers of 0..1 from a seed (mulberry32). */
export function noise(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export const daily = (length: number, demand: (day: number) => number): number[] =>
  Array.from({ length }, (_, day) => demand(day))

/** A history that ends the day before `asOf`. */
export function until(asOf: EpochDay, values: number[]): DemandHistory {
  return {
    days: Int32Array.from(values, (_, i) => asOf - values.length + i),
    quantities: Float64Array.from(values),
  }
}
