const BISECTIONS = 20

/**
 * The weighted quantile of some rows, by bisection between the least and the largest value.
 * @param rows are put in another order
 * @param weight of each row, on a grid on which sums are exact
 */
export function weightedQuantile(
  values: Float64Array,
  weight: Float64Array,
  rows: Uint32Array,
  level: number,
): number {
  let [low, high, total] = [Infinity, -Infinity, 0]
  for (let at = 0; at < rows.length; at++) {
    const value = values[rows[at]!]!
    if (value < low) low = value
    if (value > high) high = value
    total += weight[rows[at]!]!
  }
  const wanted = level * total
  // Rows from `start` to `end` may still lie on either side; those before weigh `below`.
  let [start, end, below] = [0, rows.length, 0]
  for (let round = 0; round < BISECTIONS; round++) {
    const middle = (low + high) / 2
    let upTo = below
    let next = start
    for (let at = start; at < end; at++) {
      const row = rows[at]!
      if (values[row]! > middle) continue
      upTo += weight[row]!
      rows[at] = rows[next]!
      rows[next++] = row
    }
    if (upTo < wanted) {
      low = middle
      below = upTo
      start = next
    } else {
      high = middle
      end = next
    }
  }
  return high
}
