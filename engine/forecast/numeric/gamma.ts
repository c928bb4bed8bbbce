import { FORECAST_QUANTILES } from './forecast-quantiles.ts'

const PER_OCTAVE = 8
const LOWEST = -7 // log2 of the shape: flatter ones have no mass left above zero to speak of
const HIGHEST = 14 // log2: beyond, the distribution is its mean for every purpose here
const rows: (Float64Array | undefined)[] = []

/**
 * Quantiles of a gamma distribution over its mean, by linear interpolation in a table that is filled
 * as it is needed.
 * @param shape mean² / variance
 * @param index position of the level in {@link FORECAST_QUANTILES}
 */
export function gammaQuantileOverMean(shape: number, index: number): number {
  const at = (Math.min(HIGHEST, Math.max(LOWEST, Math.log2(shape))) - LOWEST) * PER_OCTAVE
  const below = Math.min(Math.floor(at), (HIGHEST - LOWEST) * PER_OCTAVE - 1)
  const left = (rows[below] ??= rowOf(below))[index]!
  const right = (rows[below + 1] ??= rowOf(below + 1))[index]!
  return left + (right - left) * (at - below)
}

function rowOf(row: number): Float64Array {
  const shape = 2 ** (LOWEST + row / PER_OCTAVE)
  return Float64Array.from(FORECAST_QUANTILES, (level) => gammaQuantile(shape, level) / shape)
}

/** By bisection on the logarithm: slow and safe, it runs once a row. */
function gammaQuantile(shape: number, level: number): number {
  let low = Math.log(1e-300)
  let high = Math.log(shape + 20 * Math.sqrt(shape) + 40)
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2
    if (gammaCdf(shape, Math.exp(middle)) < level) low = middle
    else high = middle
  }
  return Math.exp((low + high) / 2)
}

/** Regularised lower incomplete gamma function, by its series (Abramowitz & Stegun 6.5.29). */
function gammaCdf(shape: number, x: number): number {
  let term = 1 / shape
  let sum = term
  for (let n = 1; n < 100_000 && term > sum * 1e-15; n++) {
    term *= x / (shape + n)
    sum += term
  }
  return Math.min(1, sum * Math.exp(-x + shape * Math.log(x) - logGamma(shape)))
}

/** Stirling's series after shifting the argument above 8. */
function logGamma(x: number): number {
  let shift = 0
  let z = x
  for (; z < 8; z++) shift += Math.log(z)
  const inverse = 1 / (z * z)
  const series = (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse / 1680))) / z
  return (z - 0.5) * Math.log(z) - z + 0.9189385332046727 + series - shift
}
