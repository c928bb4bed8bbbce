import { FORECAST_QUANTILES } from './forecast-quantiles.ts'

/** Largest sample that {@link Sample} takes. */
export const MAX_SAMPLE = 128
const BUCKETS = 128

/**
 * Weighted quantiles of a small sample: put in order once, by throwing the values into equal buckets,
 * then read under as many weightings as wanted. Scratch memory, filled anew for each sample.
 */
export class Sample {
  readonly values = new Float64Array(MAX_SAMPLE)
  readonly weights = new Float64Array(MAX_SAMPLE)
  count = 0
  /** Positions of the values, ascending by value, and the values in that order. */
  readonly order = new Int32Array(MAX_SAMPLE)
  readonly ascending = new Float64Array(MAX_SAMPLE)
  readonly starts = new Int32Array(BUCKETS + 1)

  /** Takes `values[0..count)` as they stand now. */
  fill(count: number): void {
    this.count = count
    scatter(this)
    straighten(this)
  }

  /**
   * P10, P50, P90 under the present `weights`: the least value with at least that share of the
   * weight up to it. The sample is not empty and some weight is positive.
   */
  quantiles(out: Float64Array, at: number): void {
    const { weights, order, ascending, count } = this
    let total = 0
    for (let i = 0; i < count; i++) total += weights[i]!
    let cumulative = 0
    let rank = -1
    for (let i = 0; i < 3; i++) {
      const share = FORECAST_QUANTILES[i]! * total * (1 - 1e-12)
      while (rank < count - 1 && (rank < 0 || cumulative < share))
        cumulative += weights[order[++rank]!]!
      out[at + i] = ascending[rank]!
    }
  }
}

/** Orders the positions by bucket. */
function scatter({ values, count, order, starts }: Sample): void {
  let least = Infinity
  let most = -Infinity
  for (let i = 0; i < count; i++) {
    const value = values[i]!
    if (value < least) least = value
    if (value > most) most = value
  }
  const scale = most > least ? (BUCKETS - 1) / (most - least) : 0
  starts.fill(0)
  for (let i = 0; i < count; i++) starts[(((values[i]! - least) * scale) | 0) + 1]!++
  for (let bucket = 1; bucket < BUCKETS; bucket++) starts[bucket]! += starts[bucket - 1]!
  for (let i = 0; i < count; i++) order[starts[((values[i]! - least) * scale) | 0]!++] = i
}

/** Insertion sort of what is in order but for neighbours of one bucket. */
function straighten({ values, count, order, ascending }: Sample): void {
  for (let i = 0; i < count; i++) {
    const position = order[i]!
    const value = values[position]!
    let j = i
    for (; j > 0 && ascending[j - 1]! > value; j--) {
      ascending[j] = ascending[j - 1]!
      order[j] = order[j - 1]!
    }
    ascending[j] = value
    order[j] = position
  }
}
