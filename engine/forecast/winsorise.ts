const FEWEST_SALES = 4
/** Of a one-off bulk sale: what lies further above the mean sale tells nothing of the level. */
const BULK = 4

/**
 * A copy, in `into`, in which one-off sales count only as far as so many standard deviations (or mean sales, if these are more)
 * above the mean sale; the same array where there is none.
 */
export function winsorise(values: Float64Array, into: Float64Array, deviations = BULK) {
  let count = 0
  let sum = 0
  let largest = 0
  for (let t = 0; t < values.length; t++) {
    const value = values[t]!
    if (value === 0) continue
    count++
    sum += value
    if (value > largest) largest = value
  }
  if (count < FEWEST_SALES) return values
  // The largest one says nothing of itself: among few sales it would hide in the spread that it makes.
  const mean = (sum - largest) / (count - 1)
  let squares = 0
  for (let t = 0; t < values.length; t++) if (values[t]! > 0) squares += (values[t]! - mean) ** 2
  const variance = (squares - (largest - mean) ** 2) / (count - 1)
  const cap = mean + deviations * Math.max(mean, Math.sqrt(variance))
  if (largest <= cap) return values
  for (let t = 0; t < values.length; t++) into[t] = Math.min(cap, values[t]!)
  return into.subarray(0, values.length)
}
