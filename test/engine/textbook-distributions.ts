// Distributions of total demand as textbooks have them, computed from their own definitions.

/** Demand of the next `days` days. */
export interface TextbookDemand {
  mean(days: number): number
  quantile(days: number, level: number): number
  /** The same without steps, as forecasts have it: a count reaches half a unit to either side of its number. */
  smoothQuantile(days: number, level: number): number
  cdf(days: number, units: number): number
  /** E[max(0, D − units)]. */
  shortage(days: number, units: number): number
}

/** Counts with a mean a day and a variance that many times the mean: Poisson at 1, else negative binomial. */
export function countDemand(perDay: number, varianceToMean: number): TextbookDemand {
  const tables = new Map<number, { cdf: Float64Array; shortage: Float64Array }>()
  const at = (days: number) => {
    const known = tables.get(days)
    if (known) return known
    const table = tableOf(perDay * days, varianceToMean)
    tables.set(days, table)
    return table
  }
  const mean = (days: number) => perDay * days
  const quantile = (days: number, level: number) => {
    const { cdf } = at(days)
    const units = cdf.findIndex((within) => within >= level)
    return units < 0 ? cdf.length - 1 : units
  }
  return {
    mean,
    quantile,
    smoothQuantile: (days, level) => {
      const { cdf } = at(days)
      const units = quantile(days, level)
      const below = cdf[units - 1] ?? 0
      return Math.max(0, units - 0.5 + (level - below) / (cdf[units]! - below))
    },
    cdf: (days, units) => (units < 0 ? 0 : (at(days).cdf[Math.floor(units)] ?? 1)),
    shortage: (days, units) =>
      units < 0 ? mean(days) - units : (at(days).shortage[Math.floor(units)] ?? 0),
  }
}

function tableOf(mean: number, varianceToMean: number) {
  const pmf = [...probabilities(mean, varianceToMean)]
  let within = 0
  const cdf = Float64Array.from(pmf, (p) => (within += p))
  // E[max(0, D − u)] = Σ P(D > k) over k ≥ u
  const shortage = new Float64Array(pmf.length + 1)
  for (let u = pmf.length - 1; u >= 0; u--) {
    shortage[u] = shortage[u + 1]! + Math.max(0, 1 - cdf[u]!)
  }
  return { cdf, shortage }
}

/** By the recursion of the probabilities, until next to nothing is left. */
function* probabilities(mean: number, varianceToMean: number): Generator<number> {
  const isPoisson = varianceToMean === 1
  const size = mean / (varianceToMean - 1)
  const share = 1 - 1 / varianceToMean
  let p = isPoisson ? Math.exp(-mean) : varianceToMean ** -size
  const most = mean + 60 * Math.sqrt(mean * varianceToMean) + 50
  for (let k = 0, sum = 0; sum < 1 - 1e-12 && k < most; k++) {
    yield p
    sum += p
    p *= isPoisson ? mean / (k + 1) : (share * (size + k)) / (k + 1)
  }
}

/** Amounts: gamma with a mean and a coefficient of variation of one day, independent between days. */
export function gammaDemand(perDay: number, cvOfDay: number): TextbookDemand {
  const scale = perDay * cvOfDay ** 2
  const shape = (days: number) => days / cvOfDay ** 2
  const mean = (days: number) => perDay * days
  const cdf = (days: number, units: number) => gammaCdf(shape(days), units / scale)
  const quantile = (days: number, level: number) => {
    let [low, high] = [0, mean(days) * (1 + 20 * (cvOfDay / Math.sqrt(days)) ** 2 + 20)]
    for (let i = 0; i < 80; i++) {
      const middle = (low + high) / 2
      if (cdf(days, middle) < level) low = middle
      else high = middle
    }
    return high
  }
  return {
    mean,
    cdf,
    quantile,
    smoothQuantile: quantile,
    // ∫ (x − u)·f(x) dx, with x·f(x; k) = k·θ·f(x; k + 1)
    shortage: (days, units) =>
      units <= 0
        ? mean(days) - units
        : mean(days) * (1 - gammaCdf(shape(days) + 1, units / scale)) -
          units * (1 - cdf(days, units)),
  }
}

/** Regularised lower incomplete gamma function, by its power series. */
function gammaCdf(shape: number, x: number): number {
  if (x <= 0) return 0
  let term = 1 / shape
  let sum = term
  for (let n = 1; term > sum * 1e-14; n++) {
    term *= x / (shape + n)
    sum += term
  }
  return Math.min(1, sum * Math.exp(shape * Math.log(x) - x - logGamma(shape)))
}

/** Stirling's series, after the argument was raised to 10 and more. */
function logGamma(x: number): number {
  let [z, shift] = [x, 0]
  while (z < 10) shift += Math.log(z++)
  const series = 1 / (12 * z) - 1 / (360 * z ** 3) + 1 / (1260 * z ** 5)
  return (z - 0.5) * Math.log(z) - z + Math.log(2 * Math.PI) / 2 + series - shift
}
