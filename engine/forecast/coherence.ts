import type { Units } from '../types.ts'

/**
 * Makes each quantile rise with the horizon, by pooling neighbours that fall (isotonic regression),
 * and keeps 0 ≤ P10 ≤ P50 ≤ P75 ≤ P90. In place; `quantiles[3·i + j]` is level j at horizon i.
 * @param p75 by horizon, where it is told
 */
export function makeCoherent(quantiles: Float64Array, p75: Units[] | null = null): void {
  const horizons = quantiles.length / 3
  for (let i = 0; i < horizons; i++) {
    const at = 3 * i
    const p50 = Math.max(0, quantiles[at + 1]!)
    quantiles[at] = Math.min(p50, Math.max(0, quantiles[at]!))
    quantiles[at + 1] = p50
    quantiles[at + 2] = Math.max(p50, quantiles[at + 2]!)
  }
  for (let level = 0; level < 3; level++) poolFalling(quantiles, level, horizons)
  if (!p75) return
  poolFalling(p75, 0, horizons, 1)
  for (let i = 0; i < horizons; i++)
    p75[i] = Math.min(quantiles[3 * i + 2]!, Math.max(quantiles[3 * i + 1]!, p75[i]!))
}

/** Pool-adjacent-violators; the order of two levels survives it. @param every the distance of two horizons */
function poolFalling(values: Float64Array | Units[], level: number, horizons: number, every = 3) {
  const place = (horizon: number) => every * horizon + level
  for (let end = 1; end < horizons; end++) {
    let start = end
    let sum = values[place(end)]!
    while (start > 0 && values[place(start - 1)]! > sum / (end - start + 1))
      sum += values[place(--start)]!
    const mean = sum / (end - start + 1)
    if (start < end) for (let i = start; i <= end; i++) values[place(i)] = mean
  }
}
