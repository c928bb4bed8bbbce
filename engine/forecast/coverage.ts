// How often past forecasts held what then came, by kind of forecast: measured on windows that nothing was learnt from.
import type { Days, Units } from '../types.ts'

/** Shares of past windows within P10..P90, of one horizon. Plain data. */
export interface MeasuredCoverage {
  horizon: Days
  /** By width of the range, then by length of the history, drawn to all windows' and to .80 where they are few. */
  shares: number[]
  /** What the windows count for together, as they overlap. */
  windows: number
}

/** (P90 − P10) over P50 up to which a range is narrow, and up to which it is usual; wider ones are wide. */
const WIDTHS = [1.7, 2.5] as const
/** Days of history from which on it is long. */
const LONG: Days = 365
const CLASSES = 2 * (WIDTHS.length + 1)
const PROMISED = 0.8
/** Windows without overlap that the promise, or all classes together, count as. */
const PRIOR = 50

/** A past forecast, in whole units as it would have been answered, and what came. */
export interface PastCase {
  quantiles: { p10: Units; p50: Units; p90: Units }
  historyDays: Days
  demand: Units
}

const classOf = ({ p10, p50, p90 }: PastCase['quantiles'], historyDays: Days): number => {
  const width = WIDTHS.findIndex((most) => p90 - p10 <= most * p50)
  return 2 * (width < 0 ? WIDTHS.length : width) + (historyDays >= LONG ? 1 : 0)
}

/** @param evidence what a window counts for, as windows overlap */
export function measureCoverage(
  horizon: Days,
  cases: readonly PastCase[],
  evidence: number,
): MeasuredCoverage {
  const seen = new Float64Array(CLASSES)
  const held = new Float64Array(CLASSES)
  for (const { quantiles, historyDays, demand } of cases) {
    const of = classOf(quantiles, historyDays)
    seen[of]! += evidence
    const isHeld = demand >= Math.round(quantiles.p10) && demand <= Math.round(quantiles.p90)
    if (isHeld) held[of]! += evidence
  }
  const sum = (values: Float64Array) => values.reduce((total, one) => total + one, 0)
  const overall = shrink(sum(held), sum(seen), PROMISED)
  return {
    horizon,
    shares: Array.from(seen, (count, of) => toThousandths(shrink(held[of]!, count, overall))),
    windows: Math.round(sum(seen)),
  }
}

const shrink = (held: number, seen: number, prior: number) =>
  (held + PRIOR * prior) / (seen + PRIOR)

const toThousandths = (value: number) => Math.round(1000 * value) / 1000

/** Of forecasts of its kind, at the first measured horizon that is no shorter. */
export function coverageAt(
  measured: readonly MeasuredCoverage[],
  days: Days,
  quantiles: PastCase['quantiles'],
  historyDays: Days,
): number | null {
  const at = measured.find(({ horizon }) => horizon >= days) ?? measured.at(-1)
  return at?.shares[classOf(quantiles, historyDays)] ?? null
}
