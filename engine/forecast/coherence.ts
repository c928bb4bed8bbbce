/**
 * Makes each quantile rise with the horizon, by pooling neighbours that fall (isotonic regression),
 * and keeps 0 ≤ P10 ≤ P50 ≤ P90. In place; `quantiles[3·i + j]` is level j at horizon i.
 */
export function makeCoherent(quantiles: Float64Array): void {
  const horizons = quantiles.length / 3
  for (let i = 0; i < horizons; i++) {
    const at = 3 * i
    const p50 = Math.max(0, quantiles[at + 1]!)
    quantiles[at] = Math.min(p50, Math.max(0, quantiles[at]!))
    quantiles[at + 1] = p50
    quantiles[at + 2] = Math.max(p50, quantiles[at + 2]!)
  }
  for (let level = 0; level < 3; level++) poolFalling(quantiles, level, horizons)
}

/** Pool-adjacent-violators; the order of two levels survives it. */
function poolFalling(quantiles: Float64Array, level: number, horizons: number): void {
  for (let end = 1; end < horizons; end++) {
    let start = end
    let sum = quantiles[3 * end + level]!
    while (start > 0 && quantiles[3 * (start - 1) + level]! > sum / (end - start + 1))
      sum += quantiles[3 * --start + level]!
    const mean = sum / (end - start + 1)
    if (start < end) for (let i = start; i <= end; i++) quantiles[3 * i + level] = mean
  }
}
