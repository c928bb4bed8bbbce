import type { LocationContext } from '../series/location-context.ts'
import { weekdayOf } from '../series/calendar.ts'
import type { EpochDay } from '../types.ts'
import type { Series } from './series.ts'

/** Days that the profile is learnt from. */
const LOOK_BACK = 364
const FEWEST_WEEKS = 8
/** How many times the noise the differences between weekdays must be before they count half. */
const HARDNESS = 2

/**
 * Demand of each of the seven days from `asOf` on, relative to the mean day: the location's profile,
 * moved to the series' own as far as that stands out of its noise (positive-part James-Stein, made
 * harder). Undefined where there is nothing to tell.
 */
export function weekdayProfile(
  series: Series,
  { asOf, end }: { asOf: EpochDay; end: EpochDay },
  context: LocationContext,
): number[] | undefined {
  const weeks = Math.floor(Math.min(series.length, LOOK_BACK) / 7)
  if (series.stepDays !== 1 || weeks < FEWEST_WEEKS) return undefined
  const common = Array.from({ length: 7 }, (_, i) => context.weekdays?.[weekdayOf(asOf + i)] ?? 1)
  const own = ownProfile(series, weeks, asOf - end)
  const share = Math.max(0, 1 - HARDNESS / distinctness(own, common))
  const profile = own.ratios.map((ratio, i) => common[i]! + share * (ratio - common[i]!))
  if (profile.every((ratio) => Math.abs(ratio - 1) < 0.02)) return undefined
  const mean = profile.reduce((sum, ratio) => sum + ratio, 0) / 7
  return profile.map((ratio) => Math.round((ratio / mean) * 1e4) / 1e4)
}

interface Profile {
  /** Mean demand by day from the as-of date's weekday on, over the mean of all. */
  ratios: number[]
  /** Variance of such a ratio for want of weeks. */
  noise: number
}

/** @param lag days between the series' end and the as-of date */
function ownProfile({ capped, length }: Series, weeks: number, lag: number): Profile {
  const sums = new Float64Array(7)
  let total = 0
  const start = length - 7 * weeks
  for (let t = start; t < length; t++) {
    sums[(t - start) % 7]! += capped[t]!
    total += capped[t]!
  }
  const mean = total / (7 * weeks)
  if (!(mean > 0)) return { ratios: new Array<number>(7).fill(1), noise: Infinity }
  let squares = 0
  for (let t = start; t < length; t++) squares += (capped[t]! - sums[(t - start) % 7]! / weeks) ** 2
  const within = squares / (7 * (weeks - 1))
  return {
    ratios: Array.from(sums, (_, i) => sums[(lag + i) % 7]! / weeks / mean),
    noise: within / weeks / (mean * mean),
  }
}

/** Mean squared difference of two profiles over what noise alone would give (the F statistic). */
function distinctness({ ratios, noise }: Profile, common: number[]): number {
  const squares = ratios.reduce((sum, ratio, i) => sum + (ratio - common[i]!) ** 2, 0)
  return squares / 6 / Math.max(noise, 1e-12)
}
