import { gammaQuantileOverMean } from './gamma.ts'
import { FORECAST_QUANTILES, Z90 } from './forecast-quantiles.ts'

/** Above it counts are as good as continuous, and the gamma stands in for the negative binomial. */
const LARGE_MEAN = 120

/**
 * P10, P50, P90 of a demand with this mean and variance, into `out[at..at+2]`: negative binomial,
 * as counts are (Snyder, Ord, Beaumont 2012); gamma where they are large; normal, cut at zero,
 * where they vary less than a Poisson count.
 */
export function writeCountQuantiles(
  mean: number,
  variance: number,
  out: Float64Array,
  at: number,
): void {
  if (!(mean > 1e-9)) out.fill(0, at, at + 3)
  else if (!(variance > mean * 1.000001)) writeNormalQuantiles(mean, Math.max(0, variance), out, at)
  else if (mean > LARGE_MEAN) writeGammaQuantiles(mean, variance, out, at)
  else writeNegativeBinomialQuantiles(mean, variance, out, at)
}

function writeNormalQuantiles(mean: number, variance: number, out: Float64Array, at: number): void {
  const spread = Z90 * Math.sqrt(variance)
  out[at] = Math.max(0, mean - spread)
  out[at + 1] = mean
  out[at + 2] = mean + spread
}

function writeGammaQuantiles(mean: number, variance: number, out: Float64Array, at: number): void {
  const shape = (mean / variance) * mean
  for (let i = 0; i < 3; i++) out[at + i] = mean * gammaQuantileOverMean(shape, i)
}

/** Sums the probabilities up from zero; the mean is small enough for that here. */
function writeNegativeBinomialQuantiles(
  mean: number,
  variance: number,
  out: Float64Array,
  at: number,
) {
  const size = (mean * mean) / (variance - mean)
  const failure = mean / (size + mean)
  const last = mean + 40 * Math.sqrt(variance)
  let probability = Math.exp(size * Math.log(size / (size + mean)))
  let cumulative = probability
  let count = 0
  for (let i = 0; i < 3; i++) {
    const level = FORECAST_QUANTILES[i]!
    while (cumulative < level && count < last) {
      probability *= (failure * (size + count)) / (count + 1)
      cumulative += probability
      count++
    }
    out[at + i] = count
  }
}
