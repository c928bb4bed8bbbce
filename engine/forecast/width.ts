import type { Days } from '../types.ts'

const WIDEST = 1.6

/**
 * A history that holds the horizon few times says little about how the level drifts over it: both
 * sides of the P50 are stretched by 1 + horizon / history, at most 1.6.
 */
export function widthFactor(horizon: number, historyLength: number): number {
  return Math.min(WIDEST, 1 + horizon / Math.max(1, historyLength))
}

const YEAR = 365
/** By how much the longest horizon's upper side is stretched where no season was seen. */
const UNSEEN = 0.5
/** Of that, by how much the lower side is: seasons rise further than they fall. */
const BELOW = 0.1
const FADES_OVER = 180
const LONGEST = 90

/**
 * Where a location is known for less than a year and the horizon, nothing tells what the coming
 * season does: the upper side is stretched, the more the longer the horizon.
 * @param known days since the location's first row
 */
export function unseenSeasonFactor(horizon: Days, known: Days): number {
  const unseen = Math.min(1, Math.max(0, (YEAR + horizon - known) / FADES_OVER))
  return 1 + UNSEEN * unseen * (horizon / LONGEST)
}

/** What both factors make of a range over so many steps, below and above its P50. */
export function stretchOf(
  steps: number,
  { stepDays, length }: { stepDays: Days; length: number },
  known: Days,
): [below: number, above: number] {
  const short = widthFactor(steps, length)
  const season = unseenSeasonFactor(steps * stepDays, known)
  return [short * belowOf(season), short * season]
}

/** By how much a range of no width is stretched, and the width over the P50 from which none is. */
const CHANCE = { stretch: 0.1, none: 2 }

/**
 * The narrowest ranges are so by chance as well: of those that were learnt, the narrower one is beside
 * its P50, the more it is stretched.
 */
export function chanceFactor(quantiles: Float64Array, at: number): number {
  const width = quantiles[at + 2]! - quantiles[at]!
  const share = width / Math.max(quantiles[at + 1]!, 1e-9) / CHANCE.none
  return 1 + CHANCE.stretch * Math.max(0, 1 - share)
}

const belowOf = (season: number) => 1 + BELOW * (season - 1)

/** Stretches the upper side by the factor of an unseen season, and the lower one by a part of it, in place. */
export function widenForUnseenSeason(quantiles: Float64Array, at: number, factor: number): void {
  const p50 = quantiles[at + 1]!
  quantiles[at] = Math.max(0, p50 - belowOf(factor) * (p50 - quantiles[at]!))
  quantiles[at + 2] = p50 + factor * (quantiles[at + 2]! - p50)
}

/** Stretches P10 and P90 away from the P50, in place. */
export function widen(quantiles: Float64Array, at: number, factor: number): void {
  const p50 = quantiles[at + 1]!
  quantiles[at] = Math.max(0, p50 - factor * (p50 - quantiles[at]!))
  quantiles[at + 2] = p50 + factor * (quantiles[at + 2]! - p50)
}
