import type { Steps } from '../series/steps.ts'
import type { HistorySummary } from '../series/history-summary.ts'
import type { PlanKind } from '../types.ts'
import type { Series } from './series.ts'
import { widthFactor } from './width.ts'

/** Codes in the order in which they are given; the list is open. */
export type Driver =
  | 'level'
  | 'trend_up'
  | 'trend_down'
  | 'weekly_seasonality'
  | 'annual_seasonality'
  | PlanKind
  | 'recent_spike'
  | 'recent_drop'
  | 'intermittent_demand'
  | 'stockout_correction'
  | 'outlier_removed'
  | 'short_history'
  | 'no_recent_demand'
  | 'predecessor'

/** About 50 steps remembered: slow enough for a year, quick enough for a month. */
const CONSTANT = 0.02
const YEAR = 365
const RECENT = 14
/** A change counts from this share of the level, and from so many of its standard deviations. */
const CHANGE = 0.15
const DEVIATIONS = 2.5
/** A correction counts from this share of the past year's demand. */
const CORRECTED = 0.02
/** Latest days without stock from which on a level would have fallen. */
const MISSED = 2
/** Days of silence that count, at least, and over the mean interval between sales. */
const SILENCE = { days: 60, intervals: 5 }
const USUAL_HORIZON = 28
const WIDENED = 1.15

/** What moved the forecast of a series that has enough demand to be learnt from. */
export function driversOf(
  series: Series,
  summary: HistorySummary,
  steps: Pick<Steps, 'stockouts' | 'stockoutDays'> = {},
): Driver[] {
  const drivers: Driver[] = ['level']
  const change = levelChange(series)
  if (change) drivers.push(change)
  if (series.sales < series.length / 2) drivers.push('intermittent_demand')
  if ((steps.stockoutDays ?? 0) >= MISSED || filledShare(series, steps) >= CORRECTED)
    drivers.push('stockout_correction')
  if (removedShare(series) >= CORRECTED) drivers.push('outlier_removed')
  if (widthFactor(USUAL_HORIZON, summary.days) >= WIDENED) drivers.push('short_history')
  const interval = summary.days / summary.sales
  if (summary.silentDays >= Math.max(SILENCE.days, SILENCE.intervals * interval))
    drivers.push('no_recent_demand')
  return drivers
}

/**
 * Where the level stands off its mean of the past year: a spike or drop if the last two weeks alone
 * account for most of that, else a trend.
 */
function levelChange({ capped, length, dispersion }: Series): Driver | undefined {
  const start = Math.max(0, length - YEAR)
  if (length - start < 4 * RECENT) return undefined
  let sum = 0
  for (let t = start; t < length; t++) sum += capped[t]!
  const mean = sum / (length - start)
  let level = mean
  let before = mean
  for (let t = start; t < length; t++) {
    if (t === length - RECENT) before = level
    level += CONSTANT * (capped[t]! - level)
  }
  const deviation = Math.sqrt((dispersion * mean * CONSTANT) / (2 - CONSTANT))
  if (!(Math.abs(level - mean) >= Math.max(CHANGE * mean, DEVIATIONS * deviation))) return undefined
  const up = level > mean
  const sudden = Math.abs(level - before) > Math.abs(before - mean)
  if (sudden) return up ? 'recent_spike' : 'recent_drop'
  return up ? 'trend_up' : 'trend_down'
}

/** The share of the past year's demand that was cut off as one-off. */
function removedShare({ sums, cappedSums, length }: Series): number {
  const start = Math.max(0, length - YEAR)
  const demand = sums[length]! - sums[start]!
  return demand > 0 ? 1 - (cappedSums[length]! - cappedSums[start]!) / demand : 0
}

/** The share of the past year's demand that stands for days on which there was nothing to sell. */
function filledShare(
  { sums, length, mean }: Series,
  { stockouts = [], stockoutDays = 0 }: Pick<Steps, 'stockouts' | 'stockoutDays'>,
): number {
  const start = Math.max(0, length + stockoutDays - YEAR)
  let filled = stockoutDays * mean
  const demand = filled + sums[length]! - sums[start]!
  for (const { from, to } of stockouts)
    if (to > start) filled += sums[to]! - sums[Math.max(start, from)]!
  return filled / Math.max(demand, 1e-9)
}
