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

/** By how much a range over so many steps is stretched for what is not known, below and above its P50. */
export type Stretch = (steps: number) => readonly [below: number, above: number]

/**
 * A forecast of whole periods for days. Its mean is shared out evenly; its variance as that of days of which nothing is
 * known but how the variance of several periods grows: in proportion where they are independent, by the square where
 * they rise and fall together.
 * @param stretch of its ranges, which tells nothing of how alike days are; absent: none
 */
export function overDays(knots: Knots, stepDays: Days, stretch: Stretch = () => [1, 1]): Knots {
  const { stepCounts, quantiles, amounts, p75, tail, counts } = knots
  const days = dayCountsOf(stepCounts, stepDays)
  const parts = days.slice(0, days.length - stepCounts.length).map((part) => part / stepDays)
  const scale = scalingOf(knots, stretch)
  const all = [...parts.flatMap((part) => quantilesOf(part, scale)), ...quantiles]
  for (let i = 3 * parts.length - 1; i >= 0; i--) all[i] = Math.min(all[i]!, all[i + 3]!)
  const before = (values: Units[]) => [...parts.map((part) => part * values[0]!), ...values]
  const median = quantiles[1]!
  const shares = parts.map((part, i) => (median > 0 ? all[3 * i + 1]! / median : part))
  const ofMedian = (values: Units[]) => [...shares.map((share) => share * values[0]!), ...values]
  return {
    stepCounts: days,
    quantiles: Float64Array.from(all),
    amounts: amounts && {
      level: ofMedian(amounts.level),
      ...(amounts.yearly && { yearly: ofMedian(amounts.yearly) }),
      ...(amounts.promotion && { promotion: ofMedian(amounts.promotion) }),
    },
    p75: p75 && [...parts.map((_, i) => upperOf(all, i, p75[0]!, quantiles)), ...p75],
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
  /** P10, P50, P90 of a period without its stretch. */
  bare: Triple
  stretch: Stretch
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

type Triple = readonly [p10: Units, p50: Units, p90: Units]

function scalingOf({ stepCounts, quantiles }: Knots, stretch: Stretch): Scaling {
  const far = stepCounts.length > 3 ? 3 : stepCounts.length - 1
  const [bare, later] = [0, far].map((i) => {
    const [below, above] = stretch(stepCounts[i]!)
    const [p10, p50, p90] = quantiles.subarray(3 * i, 3 * i + 3) as unknown as Triple
    return [p50 - (p50 - p10) / below, p50, p50 + (p90 - p50) / above] as const
  }) as [Triple, Triple]
  const [variance, wide] = [varianceOf(bare), varianceOf(later)]
  const [p10, p50, p90] = bare
  const mean = expectedShortage({ p10, p50, p90, tail: 1 }, 0)
  const steps = stepCounts[far]!
  const dependence = (wide / Math.max(variance, 1e-9) / steps - 1) / (steps - 1)
  return {
    ...{ bare, stretch, variation: mean > 0 ? variance / (mean * mean) : 0 },
    dependence: Math.min(1, Math.max(0, dependence)),
  }
}

const varianceOf = ([p10, , p90]: Triple) => ((p90 - p10) / WIDTH) ** 2

/**
 * Of a part of a period: as much less, or more, than that part of the period's as those of a gamma of that variation are;
 * the P50 only in so far as the root of the part, half for a week of a month: so much lower are the P50s of days that are
 * known (bench/accuracy).
 */
function quantilesOf(part: number, { bare, stretch, variation, dependence }: Scaling): Units[] {
  if (!(variation > 0)) return bare.map((units) => part * units)
  const shape = 1 / variation
  const own = shape / (growth(part, dependence) / (part * part))
  const [less, middle, more] = bare.map((_, level) => {
    const whole = gammaQuantileOverMean(shape, level)
    return whole > 0 ? gammaQuantileOverMean(own, level) / whole : 0
  }) as [number, number, number]
  const [low, p50, high] = [
    part * bare[0] * less,
    part * bare[1] * middle ** Math.sqrt(part),
    part * bare[2] * more,
  ]
  const [below, above] = stretch(part)
  return [
    Math.max(0, p50 - below * Math.max(0, p50 - low)),
    p50,
    p50 + above * Math.max(0, high - p50),
  ]
}

/** P75 as far between P50 and P90 as that of the period. */
function upperOf(all: readonly Units[], i: number, p75: Units, quantiles: Float64Array): Units {
  const [p50, p90] = [quantiles[1]!, quantiles[2]!]
  const share = p90 > p50 ? (p75 - p50) / (p90 - p50) : 0
  const [middle, upper] = [all[3 * i + 1]!, all[3 * i + 2]!]
  return middle + share * (upper - middle)
}
