/**
 * The value that would stand at `rank` if the first `count` values were in order (Hoare's selection), none of them NaN;
 * those before it are no larger then, and those after it no smaller.
 */
export function nthOf(values: Float64Array, count: number, rank: number): number {
  let low = 0
  let high = count - 1
  while (low < high) {
    const pivot = values[rank]!
    let left = low
    let right = high
    while (left <= right) {
      while (values[left]! < pivot) left++
      while (values[right]! > pivot) right--
      if (left > right) break
      const value = values[left]!
      values[left++] = values[right]!
      values[right--] = value
    }
    if (right < rank) low = left
    if (left > rank) high = right
  }
  return values[rank]!
}
