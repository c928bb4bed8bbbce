import { normalCdf } from '../forecast/numeric/normal-cdf.ts'
import type { Days, Units } from '../types.ts'
import { type DemandForecast, demandOver, medianDemand } from './demand.ts'

/** Standard deviations between P10 and P90 of a normal distribution. */
const WIDTH = 2.563

/**
 * Demand that finds no stock before an order arrives, where such demand is lost: E[(D(L) − S)⁺ | D(H) = d] (units), of a
 * normal D(L) that has its share of d as its mean, and the variance of that share of independent days.
 *
 * Source: Zipkin, Old and new methods for lost-sales inventory systems, Operations Research 56, 2008: what is lost before the
 * arrival lowers what the order must cover.
 * @param untilArrival days until the order arrives
 * @param supply what is there or comes before
 * @param total demand over all the days that the order must last
 */
export function lostBefore(
  demand: DemandForecast,
  { untilArrival, days }: { untilArrival: Days; days: Days },
  supply: Units,
  total: Units,
): Units {
  const whole = medianDemand(demand, days)
  if (untilArrival <= 0 || whole <= 0) return Math.max(0, untilArrival > 0 ? -supply : 0)
  const share = Math.min(1, medianDemand(demand, untilArrival) / whole)
  const { p10, p90 } = demandOver(demand, days)
  const deviation = ((p90 - p10) / WIDTH) * Math.sqrt(share * (1 - share))
  return expectedExcess(share * total, deviation, Math.max(0, supply))
}

/** E[(X − level)⁺] of a normal X. */
function expectedExcess(mean: number, deviation: number, level: number): number {
  if (!(deviation > 0)) return Math.max(0, mean - level)
  const z = (level - mean) / deviation
  return deviation * (density(z) - z * (1 - normalCdf(z)))
}

const density = (z: number) => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
