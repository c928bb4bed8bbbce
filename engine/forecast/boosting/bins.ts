/** Bins of a feature; bin 0 is for what is not known. */
const BINS = 24

/** Values at which the next bin begins, so that each bin holds about as many of `values`; NaN is skipped. */
export function edgesOf(values: Float64Array): number[] {
  const sorted = known(values).sort()
  const edges: number[] = []
  for (let bin = 1; bin < BINS; bin++) {
    const value = sorted[Math.floor((bin * sorted.length) / BINS)]
    if (value === undefined || value <= (edges.at(-1) ?? sorted[0]!)) continue
    edges.push(Number(value.toPrecision(6)))
  }
  return edges
}

function known(values: Float64Array): Float64Array {
  const known = new Float64Array(values.length)
  let count = 0
  for (let i = 0; i < values.length; i++) if (!Number.isNaN(values[i]!)) known[count++] = values[i]!
  return known.subarray(0, count)
}

/** 0 where the value is not known, else 1 + the edges up to it. */
export function binOf(edges: readonly number[], value: number): number {
  if (Number.isNaN(value)) return 0
  let low = 0
  let high = edges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (edges[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low + 1
}

/** Bins that a feature can take, the one of the unknown included. */
export const BIN_COUNT = BINS + 1
