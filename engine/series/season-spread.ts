// How far the SKUs of a location differ in what the year does to them: groups with a season of their own.
import type { Days, DemandHistory, EpochDay, Units } from '../types.ts'
import type { DailyParts } from './activity.ts'
import { unitsOf } from './quantity.ts'

/** Variances of the logarithm of a season's change that a SKU has beside its location's. */
export interface SeasonSpread {
  /** What came back a year later. */
  repeats: number
  /** What did not, chance left aside. */
  passes: number
  /** Share that counts: the more past there is, the more of it is learnt from errors. */
  share: number
}

/** A year has seven blocks of whole weeks; two of them are a season. */
const BLOCK: Days = 52
const YEAR = 7
const SEASON = 2
const MOST_BLOCKS = 3 * YEAR
/** A day counts up to so many usual ones. */
const BULK = 5
const FEWEST_SERIES = 10
/** As {@link spreadOf} has it, for the SKUs of a location. */
const HARDNESS = 16
/** A change that chance alone makes so large says nothing. */
const NOISIEST = 0.5
/** Windows are not told apart that are surer than this variance. */
const SURE = 0.02

/** Windows of a quarter, with a year before, at which half of it counts. */
const HALF_SHARE = 600
const QUARTER: Days = 91

/** What counts where so much is known of all series of a tenant. */
export function shareOfSpread(all: Iterable<readonly Blocks[]>): number {
  let blocks = 0
  for (const series of all)
    for (const { units } of series) blocks += Math.max(0, units.length - YEAR)
  const windows = (blocks * BLOCK) / QUARTER
  return HALF_SHARE / (HALF_SHARE + windows)
}

/** Demand by block, the latest first. */
export interface Blocks {
  units: Float64Array
  /** Variance over mean of a day's demand. */
  dispersion: number
}

/** @returns null for what is known for less than a year and two seasons */
export function blocksOf(
  { days, quantities }: DemandHistory,
  asOf: EpochDay,
  usual: Units,
  first: EpochDay,
): Blocks | null {
  const known = Math.min(MOST_BLOCKS, Math.floor((asOf - first) / BLOCK))
  if (known < YEAR + 2 * SEASON) return null
  const units = new Float64Array(known)
  let squares = 0
  for (let i = 0; i < days.length; i++) {
    const block = Math.floor((asOf - 1 - days[i]!) / BLOCK)
    if (block < 0 || block >= known) continue
    const sold = Math.min(unitsOf(quantities[i]!), BULK * usual)
    units[block]! += sold
    squares += sold * sold
  }
  const mean = units.reduce((sum, each) => sum + each, 0) / (known * BLOCK)
  return mean > 0 ? { units, dispersion: squares / (known * BLOCK) / mean - mean } : null
}

/**
 * What of the difference between series and their location was there in both of two years. Null where that may be chance, or too
 * little is known.
 * @param activity of the location by the same blocks
 */
export function seasonSpread(
  all: readonly Blocks[],
  activity: Float64Array,
  share: number,
): SeasonSpread | null {
  const { count, repeats, passes } = spreadOf(all, activity, HARDNESS)
  return count >= FEWEST_SERIES && repeats ? { repeats, passes, share } : null
}

/** How far some series differ from all of them. */
interface Spread {
  /** Series of which enough is known. */
  count: number
  /** As of {@link SeasonSpread}. */
  repeats: number
  passes: number
}

/** @param hardness how many times its variance what comes back must be, squared, before it counts at all */
export function spreadOf(all: readonly Blocks[], activity: Float64Array, hardness: number): Spread {
  const parts = all.flatMap((series) => differences(series, activity) ?? [])
  const count = parts.length
  const total = (of: (part: Difference) => number) =>
    Float64Array.from(parts, of)
      .sort()
      .reduce((sum, each) => sum + each, 0)
  const weight = total((part) => part.weight)
  if (!count) return { count, repeats: 0, passes: 0 }
  const common = total((part) => part.common) / weight
  const error = total((part) => (part.common - common * part.weight) ** 2) / weight ** 2
  const repeats = common > 0 ? common * Math.max(0, 1 - (hardness * error) / common ** 2) : 0
  return { count, repeats, passes: Math.max(0, total((part) => part.own) / weight - common) }
}

/** Weighted sums over past seasons of a series. */
interface Difference {
  weight: number
  /** Its difference times that of a year before. */
  common: number
  /** Its difference squared, less what chance makes of it. */
  own: number
}

function differences({ units, dispersion }: Blocks, activity: Float64Array): Difference | null {
  const known = Math.min(units.length, activity.length)
  const sum = (of: Float64Array, from: number, count = SEASON) => {
    let total = 0
    for (let b = from; b < from + count; b++) total += of[b]!
    return total
  }
  /** Of the two blocks before a boundary over the two after it, beside the location's. */
  const change = (at: number) => {
    const [ahead, behind] = [sum(units, at - SEASON), sum(units, at)]
    const theirs = Math.log(sum(activity, at - SEASON) / sum(activity, at))
    return {
      by: Math.log(ahead / behind) - theirs,
      noise: Math.max(1, dispersion) * (1 / ahead + 1 / behind),
    }
  }
  const growth = yearlyGrowth(units, activity, known, sum)
  let found: Difference | null = null
  for (let at = SEASON; at + YEAR + SEASON <= known; at++) {
    const [now, before] = [change(at), change(at + YEAR)]
    const noise = now.noise + before.noise
    if (!(noise < NOISIEST && Number.isFinite(now.by + before.by))) continue
    const [d, e] = [now.by - growth, before.by - growth]
    const weight = 1 / (noise + SURE)
    found ??= { weight: 0, common: 0, own: 0 }
    found.weight += weight
    found.common += weight * d * e
    found.own += (weight * (d * d + e * e - noise)) / 2
  }
  return found
}

/** What a series gains on its location from one season to the next, by its last two years, or as much of them as is known. */
function yearlyGrowth(
  units: Float64Array,
  activity: Float64Array,
  known: number,
  sum: (of: Float64Array, from: number, count?: number) => number,
): number {
  if (known < 2 * YEAR) return 0
  const gain = (of: Float64Array) => Math.log(sum(of, 0, YEAR) / sum(of, YEAR, YEAR))
  const growth = ((gain(units) - gain(activity)) * SEASON) / YEAR
  return Number.isFinite(growth) ? growth : 0
}

/** Activity of a location by block, the latest first. */
export function activityBlocks(parts: DailyParts, asOf: EpochDay): Float64Array {
  const blocks = new Float64Array(MOST_BLOCKS)
  let known = 0
  for (const [day, sum] of parts) {
    const block = Math.floor((asOf - 1 - day) / BLOCK)
    if (block < 0 || block >= MOST_BLOCKS) continue
    blocks[block]! += sum
    known = Math.max(known, block + 1)
  }
  return blocks.subarray(0, known)
}
