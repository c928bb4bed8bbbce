// Demand that is booked by week or month: its periods' forecast, told for days.
import type { Days, Units } from '../types.ts'
import { expectedShortage } from './distribution.ts'
import type { Amounts } from './model.ts'
import { gammaQuantileOverMean } from './numeric/gamma.ts'
import type { CountMoments } from './rare.ts'

/** A forecast for some numbers of steps. */
export interface Knots {
  stepCounts: readonly number[]
  /** `[3·i + level]`, in units. */
  quantiles: Float64Array
  amounts?: Amounts | undefined
  p75: Units[] | null
  tail: number[] | null
  counts: CountMoments | null
}

/** Parts of a period for which quantiles are computed. */
const PARTS: readonly Days[] = [1, 3, 7, 14]

/** The days that some numbers of steps last, those within the first step before them. */
export function dayCountsOf(stepCounts: readonly number[], stepDays: Days): number[] {
  return [
    ...PARTS.filter((days) => days < stepDays),
    ...stepCounts.map((steps) => steps * stepDays),
  ]
}

/**
 * A forecast of whole periods for days. Its mean is shared out evenly; its variance as that of days of which nothing is
 * known but how the variance of several periods grows: in proportion where they are independent, by the square where
 * they rise and fall together.
 */
export function overDays(knots: Knots, stepDays: Days): Knots {
  const { stepCounts, quantiles, amounts, p75, tail, counts } = knots
  const days = dayCountsOf(stepCounts, stepDays)
  const parts = days.slice(0, days.length - stepCounts.length).map((part) => part / stepDays)
  const scale = scalingOf(knots)
  const within = parts.flatMap((part) => quantilesOf(part, scale))
  const before = (values: Units[]) => [...parts.map((part) => part * values[0]!), ...values]
  return {
    stepCounts: days,
    quantiles: Float64Array.from([...within, ...quantiles]),
    amounts: amounts && {
      level: before(amounts.level),
      ...(amounts.yearly && { yearly: before(amounts.yearly) }),
      ...(amounts.promotion && { promotion: before(amounts.promotion) }),
    },
    p75: p75 && [...parts.map((_, i) => upperOf(within, i, p75[0]!, scale)), ...p75],
    tail: tail && [...parts.map(() => tail[0]!), ...tail],
    counts: counts && {
      pack: counts.pack,
      mean: before(counts.mean),
      variance: [
        ...parts.map((part) => counts.variance[0]! * growth(part, scale.dependence)),
        ...counts.variance,
      ],
    },
  }
}

interface Scaling {
  p10: Units
  p50: Units
  p90: Units
  /** Squared coefficient of variation of a period. */
  variation: number
  /** Share of its variance that all of its days have in common. */
  dependence: number
}

/** Variance of a part of a period, over that of the period. */
const growth = (part: number, dependence: number) =>
  part * (1 - dependence) + part * part * dependence

/** Standard deviations between P10 and P90 of a distribution of usual skewness. */
const WIDTH = 2.4

function scalingOf({ stepCounts, quantiles }: Knots): Scaling {
  const [p10, p50, p90] = quantiles as unknown as [number, number, number]
  const mean = expectedShortage({ p10, p50, p90, tail: 1 }, 0)
  const variance = ((p90 - p10) / WIDTH) ** 2
  const far = stepCounts.length > 3 ? 3 : stepCounts.length - 1
  const steps = stepCounts[far]!
  const wide = ((quantiles[3 * far + 2]! - quantiles[3 * far]!) / WIDTH) ** 2
  const dependence = (wide / Math.max(variance, 1e-9) / steps - 1) / (steps - 1)
  return {
    ...{ p10, p50, p90, variation: mean > 0 ? variance / (mean * mean) : 0 },
    dependence: Math.min(1, Math.max(0, dependence)),
  }
}

/**
 * P10 and P90 of a part of a period: as much less, or more, as those of a gamma of that variation would be. The P50 is that
 * part of the period's, so that parts add up to it.
 */
function quantilesOf(part: number, { p10, p50, p90, variation, dependence }: Scaling): Units[] {
  if (!(variation > 0)) return [part * p10, part * p50, part * p90]
  const shape = 1 / variation
  const own = shape / (growth(part, dependence) / (part * part))
  const over = (level: number) => {
    const whole = gammaQuantileOverMean(shape, level)
    return whole > 0 ? (part * gammaQuantileOverMean(own, level)) / whole : 0
  }
  const middle = part * p50
  return [Math.min(middle, p10 * over(0)), middle, Math.max(middle, p90 * over(2))]
}

/** P75 as far between P50 and P90 as that of the period. */
function upperOf(quantiles: Units[], i: number, p75: Units, { p50, p90 }: Scaling): Units {
  const share = p90 > p50 ? (p75 - p50) / (p90 - p50) : 0
  const [middle, upper] = [quantiles[3 * i + 1]!, quantiles[3 * i + 2]!]
  return middle + share * (upper - middle)
}
