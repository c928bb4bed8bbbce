// Demand that has fallen silent for longer than ever before: it may have ended, though nobody has said so.
import type { Days } from '../types.ts'
import { type Distribution, quantileOf, USUAL_TAIL } from './distribution.ts'
import { writeDormantQuantiles } from './dormant.ts'
import type { Amounts } from './model.ts'
import type { Series } from './series.ts'
import { FAR, tailReaching } from './tail.ts'

/** SKUs end after so many days, in the mean. */
const LIFE: Days = 1800
/** Fewer sales say too little of how long they are apart. */
const FEWEST_SALES = 10
/** How often the longest silence so far a silence may last before it says anything, and for how many days in any case: there may be no stock. */
const LONGEST = 2
const STOCKOUT: Days = 21
/** Silences of a usual SKU are a mixture of exponentials with this shape: long ones are more frequent than chance alone has it. */
const SHAPE = { least: 2, sales: 20, most: 6 }
/** Nothing is moved for less. */
const SURE = 0.98
/** A silence of so small a chance, where there is demand, makes a forecast unsure before it may have ended. */
const UNUSUAL = 0.05

/**
 * The chance that there is still demand: that of such a silence where there is, over the chance that it has ended since the
 * last sale. 1 where the past has seen the like.
 */
export function chanceOfDemand(series: Series): number {
  const silence = silenceBeyond(series, STOCKOUT)
  return silence ? chanceAfter(silence.missed, silence.shape, silence.silentDays) : 1
}

/** Whether nothing was sold lately for longer than chance makes of a SKU that is still asked for. */
export function isUnusuallySilent(series: Series): boolean {
  const silence = silenceBeyond(series, 0)
  return silence !== null && chanceOfSilence(silence.missed, silence.shape) < UNUSUAL
}

/** What a silence goes beyond those that were seen, and beyond so many days; null where it does not. */
function silenceBeyond({ values, length, stepDays, sales }: Series, freeDays: Days) {
  if (sales < FEWEST_SALES) return null
  let [first, last, longest] = [-1, -1, 0]
  for (let t = 0; t < length; t++) {
    if (!(values[t]! > 0)) continue
    if (first < 0) first = t
    else longest = Math.max(longest, t - last)
    last = t
  }
  const silent = length - 1 - last
  const beyond = silent - Math.max(LONGEST * longest, freeDays / stepDays)
  if (beyond <= 0) return null
  const gap = (last - first) / (sales - 1)
  const shape = Math.min(SHAPE.most, Math.max(SHAPE.least, sales / SHAPE.sales))
  return { missed: beyond / gap, shape, silentDays: silent * stepDays }
}

/** Of a silence in which so many sales would be expected, where there is demand. */
const chanceOfSilence = (missed: number, shape: number) => (1 + missed / shape) ** -shape

/**
 * The chance that there is still demand after a silence.
 * @param missed sales that would be expected of what goes beyond the silences seen so far
 */
export function chanceAfter(missed: number, shape: number, silentDays: Days): number {
  if (missed <= 0) return 1
  const silence = chanceOfSilence(missed, shape)
  return silence / (silence + silentDays / LIFE)
}

/** What is moved where something is known that the methods do not see. */
export interface MovableForecast {
  stepCounts: readonly number[]
  /** `[3·i + level]`, in units. */
  quantiles: Float64Array
  amounts?: Amounts | undefined
  p75: number[] | null
}

/**
 * Moves a forecast, in place, to what it is where there is none with some probability. The P90 stays above what so long a
 * silence leaves possible.
 * @returns its `tail`, by which it is no more beyond P90 than it was before; null where it was not moved
 */
export function mayHaveEnded(
  chance: number,
  { stepCounts, quantiles, amounts, p75 }: MovableForecast,
  { silentDays, saleSize, stepDays }: { silentDays: Days; saleSize: number; stepDays: Days },
): number[] | null {
  if (chance >= SURE) return null
  const least = new Float64Array(3)
  return stepCounts.map((steps, i) => {
    const distribution = distributionAt(quantiles, i)
    const { p10, p50, p90 } = distribution
    const at = (level: number) => {
      const left = 1 - (1 - level) / chance
      return left > 0 ? quantileOf(distribution, left) : 0
    }
    writeDormantQuantiles(silentDays, saleSize, steps * stepDays, least, 0)
    quantiles[3 * i] = Math.min(p10, at(0.1))
    quantiles[3 * i + 1] = Math.min(p50, at(0.5))
    quantiles[3 * i + 2] = Math.min(p90, Math.max(at(0.9), least[2]!))
    if (p75) p75[i] = Math.min(p75[i]!, Math.max(quantiles[3 * i + 1]!, at(0.75)))
    scaleAmounts(amounts, i, p50 > 0 ? quantiles[3 * i + 1]! / p50 : 0)
    return tailReaching(quantiles[3 * i + 1]!, quantiles[3 * i + 2]!, at(FAR))
  })
}

/** What was said of a number of steps. @param at its place among the step counts */
export function distributionAt(quantiles: Float64Array, at: number): Distribution {
  const [p10, p50, p90] = quantiles.subarray(3 * at, 3 * at + 3) as unknown as Triple
  return { p10, p50, p90, tail: USUAL_TAIL }
}

type Triple = [p10: number, p50: number, p90: number]

/** Scales what a P50 is made of, in place, as the P50 was. */
export function scaleAmounts(amounts: Amounts | undefined, at: number, share: number) {
  for (const parts of [amounts?.level, amounts?.yearly, amounts?.promotion])
    if (parts) parts[at]! *= share
}
