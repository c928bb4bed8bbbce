// Where the middle of a forecast lies, from what past demand exceeded; the trees learn P10, P50 and P90 by what errors cost.
import { probabilityWithin, root, USUAL_UPPER } from '../distribution.ts'
import { Z90 } from '../numeric/forecast-quantiles.ts'
import { normalQuantile } from '../numeric/normal.ts'

/** Of a forecast with a usual range, and of one with a wide one. */
export interface Middle {
  usual: MiddleRule
  wide: MiddleRule
}

export interface MiddleRule {
  /** By how many standard deviations of the root the P50 is moved. */
  centre: number
  /** The share of the way from the P50 to the P90, as roots, at which P75 lies. */
  upper: number
}

/** P90 over P50 up to which a forecast is usual, and from which on it is wide; in between both count. */
const WIDTHS = [3, 5] as const
/** A P50 below it, in multiples of the series' unit, is as good as none. */
const LEAST = 0.5
const FEWEST = 50
/** Windows without overlap at which half of what is learnt counts. */
const HALF_SHARE = 400
const MOST = { centre: 0.25, upper: 0.12 }

const wideness = (p50: number, p90: number): number => {
  const [usual, wide] = WIDTHS
  const width = p90 / Math.max(LEAST, p50)
  return Math.min(1, Math.max(0, (width - usual) / (wide - usual)))
}

/** What holds for a range between usual and wide. */
export function middleRule({ usual, wide }: Middle, p50: number, p90: number): MiddleRule {
  const share = wideness(p50, p90)
  return {
    centre: usual.centre + share * (wide.centre - usual.centre),
    upper: usual.upper + share * (wide.upper - usual.upper),
  }
}

/** Moves the P50 of `quantiles[at..at+2]` within its range, in place. */
export function recentre(centre: number, quantiles: Float64Array, at: number): void {
  const [p10, p50, p90] = [quantiles[at]!, quantiles[at + 1]!, quantiles[at + 2]!]
  const median = root(p50)
  const side = centre < 0 ? median - root(p10) : root(p90) - median
  quantiles[at + 1] = Math.max(0, median + (side * centre) / Z90) ** 4
}

/** Past forecasts with what then was sold, in multiples of the series' unit. */
export interface PastForecasts {
  /** P10, P50, P90: `[3 · window + level]`. */
  quantiles: Float64Array
  demand: Float64Array
  /** 0..1: where within its unit a count is taken to lie, so that ties are no bias. */
  spread: Float64Array
  /** What a window counts for, as windows overlap. */
  evidence: number
}

/**
 * The rules by which half of past demand was above the P50, and a quarter above P75.
 *
 * Source: Czado, Gneiting, Held, Predictive Model Assessment for Count Data, Biometrics 65, 2009 (the randomised
 * probability integral transform).
 */
export function learnMiddle(past: PastForecasts): Middle {
  const { quantiles, demand } = past
  const windows: { usual: number[]; wide: number[] } = { usual: [], wide: [] }
  for (let w = 0; w < demand.length; w++) {
    const isWide = wideness(quantiles[3 * w + 1]!, quantiles[3 * w + 2]!) >= 0.5
    windows[isWide ? 'wide' : 'usual'].push(w)
  }
  return { usual: ruleOf(past, windows.usual), wide: ruleOf(past, windows.wide) }
}

function ruleOf(past: PastForecasts, windows: readonly number[]): MiddleRule {
  if (windows.length < FEWEST) return { centre: 0, upper: USUAL_UPPER }
  const worth = windows.length * past.evidence
  const share = worth / (worth + HALF_SHARE)
  const learn = (value: number, usual: number, most: number) =>
    toTenThousandths(usual + Math.min(most, Math.max(-most, share * (value - usual))))
  const centre = learn(normalQuantile(shareBelow(past, windows, 0.5)), 0, MOST.centre)
  for (const w of windows) recentre(centre, past.quantiles, 3 * w)
  const upper = normalQuantile(shareBelow(past, windows, 0.75)) / Z90
  return { centre, upper: learn(upper, USUAL_UPPER, MOST.upper) }
}

const toTenThousandths = (value: number) => Math.round(1e4 * value) / 1e4

/** The stated probability below which so large a share of past demand was. */
function shareBelow(
  { quantiles, demand, spread }: PastForecasts,
  windows: readonly number[],
  share: number,
): number {
  const stated = Float64Array.from(windows, (w) => {
    const [p10, p50, p90] = [quantiles[3 * w]!, quantiles[3 * w + 1]!, quantiles[3 * w + 2]!]
    const forecast = { p10, p50, p90, tail: 1 }
    const below = demand[w]! > 0 ? probabilityWithin(forecast, demand[w]! - 0.5) : 0
    return below + spread[w]! * (probabilityWithin(forecast, demand[w]! + 0.5) - below)
  })
  return Math.min(0.99, Math.max(0.01, stated.sort()[Math.floor(share * stated.length)]!))
}
