import type { Distribution } from '../../../engine/index.ts'
import type { DemandForecast } from '../../../engine/inventory/demand.ts'

const known = new Map<number, number>()

/** Quantile of the standard normal distribution, by halving its distribution function. */
export function normalQuantile(level: number): number {
  const quantile = known.get(level) ?? halved(level)
  known.set(level, quantile)
  return quantile
}

function halved(level: number): number {
  let low = -9
  let high = 9
  while (high - low > 1e-9) {
    const middle = (low + high) / 2
    if (normalCdf(middle) < level) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** Integrated by Simpson's rule from the centre: exact to about 1e-9 for |z| ≤ 9. */
function normalCdf(z: number): number {
  const steps = 400
  const width = z / steps
  const density = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)
  let sum = density(0) + density(z)
  for (let i = 1; i < steps; i++) sum += density(i * width) * (i % 2 === 0 ? 2 : 4)
  return 0.5 + (sum * width) / 3
}

/** Demand that is normal with a mean and a standard deviation a day, independent between days. */
export function normalDemand(meanPerDay: number, sdPerDay: number) {
  const quantile = (days: number, level: number) =>
    meanPerDay * days + normalQuantile(level) * sdPerDay * Math.sqrt(days)
  const distribution = (days: number) => ({
    p10: Math.max(0, quantile(days, 0.1)),
    p50: quantile(days, 0.5),
    p90: quantile(days, 0.9),
    tail: 1,
  })
  return { quantile, ...demandFrom(distribution) }
}

/** A forecast that shows its distributions in whole units. */
export const demandFrom = (distribution: (days: number) => Distribution): DemandForecast => ({
  distribution,
  at(days) {
    const { p10, p50, p90 } = distribution(days)
    return { p10: Math.round(p10), p50: Math.round(p50), p90: Math.round(p90) }
  },
})
