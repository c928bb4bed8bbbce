import { type Counts, countsOf } from '../forecast/counts.ts'
import { type Distribution, quantileOf } from '../forecast/distribution.ts'
import { MAX_HORIZON_DAYS } from '../horizon.ts'
import type { DayOverride } from '../forecast/override.ts'
import { withoutNoise } from './position.ts'
import type { Days, Level, Quantiles, Units } from '../types.ts'

/** What inventory arithmetic needs to know of a forecast of the TOTAL demand of the next 1..90 days. */
export interface DemandForecast {
  /** As it is shown: whole units, p10 ≤ p50 ≤ p90, none falling as the horizon grows. */
  at(horizonDays: Days): Quantiles
  /** The same, unrounded and whole to the tail. */
  distribution(horizonDays: Days): Distribution
  /** How much of the usual demand season, promotions and plans expect of so many days; absent: alike on all days. */
  pace?(horizonDays: Days): number
  /** Days after which there is no demand, as of a SKU that is phased out; absent: it goes on. */
  until?: Days
  /** Where planners say something else: what the forecast says. Their word ends with the 90th day. */
  statistical?: DemandForecast
  overrides?: readonly DayOverride[]
}

/** Horizons between which the growth of the width is measured, to go on so after the 90th day. */
const WIDTH_FROM: Days = 28
/** Errors of independent days, and errors of the level alone, which are the same every day. */
const WIDTH_GROWTH = [0.5, 1] as const

/**
 * Demand of the next `horizon` days, any number ≥ 0: straight between two whole days. After the 90th day the median's
 * rate goes on, and the width on either side grows with t^g, g as it grew from day 28 to 90, within .5 and 1.
 *
 * Source: Silver, Pyke, Thomas, Inventory and Production Management in Supply Chains, 4th ed., ch. 4: the standard
 * deviation of errors over a lead time is that of one period times L^c, with c estimated from the data.
 */
export function demandOver(demand: DemandForecast, horizon: Days): Distribution {
  const days = Math.min(horizon, demand.until ?? Infinity)
  if (days <= 0) return NOTHING
  if (days > MAX_HORIZON_DAYS) return extrapolated(demand, days)
  const whole = Math.floor(days)
  const share = days - whole
  if (share === 0) return demand.distribution(whole)
  const [below, above] = [demandOver(demand, whole), demand.distribution(whole + 1)]
  const between = (from: Units, to: Units) => from + (to - from) * share
  return {
    p10: between(below.p10, above.p10),
    p50: between(below.p50, above.p50),
    p90: between(below.p90, above.p90),
    ...(above.p75 !== undefined && { p75: between(below.p75 ?? 0, above.p75) }),
    ...beyondP90(above),
    tail: below === NOTHING ? above.tail : between(below.tail, above.tail),
    ...countsBetween(below.counts, above.counts, share),
  }
}

function countsBetween(below: Counts | undefined, above: Counts | undefined, share: number) {
  if (!above) return {}
  const from = below ? momentsOf(below) : { mean: 0, variance: 0 }
  const to = momentsOf(above)
  return withCounts({
    mean: from.mean + (to.mean - from.mean) * share,
    variance: from.variance + (to.variance - from.variance) * share,
    pack: above.pack,
  })
}

const momentsOf = ({ mean, dispersion }: Counts) => ({ mean, variance: mean * dispersion })

function withCounts(moments: Parameters<typeof countsOf>[0]): { counts?: Counts } {
  const counts = countsOf(moments)
  return counts ? { counts } : {}
}

const beyondP90 = ({ tail, steep }: Distribution) => ({ tail, ...(steep && { steep }) })

const NOTHING: Distribution = { p10: 0, p50: 0, p90: 0, tail: 1 }

function extrapolated(demand: DemandForecast, days: Days): Distribution {
  return demand.statistical
    ? shifted(demand, extrapolated(demand.statistical, days))
    : goneOn(demand, days)
}

/** What planners say of the days before the 90th adds as much to the sum of more days. */
function shifted({ distribution, statistical }: DemandForecast, later: Distribution): Distribution {
  const [was, is] = [statistical!.distribution(MAX_HORIZON_DAYS), distribution(MAX_HORIZON_DAYS)]
  const p50 = Math.max(0, later.p50 + is.p50 - was.p50)
  const p10 = Math.min(p50, Math.max(0, later.p10 + is.p10 - was.p10))
  const p90 = Math.max(p50, later.p90 + is.p90 - was.p90)
  if (later.p75 === undefined) return { p10, p50, p90, ...beyondP90(later) }
  const p75 = later.p75 + (is.p75 ?? is.p90) - (was.p75 ?? was.p90)
  return { p10, p50, p75: Math.min(p90, Math.max(p50, p75)), p90, ...beyondP90(later) }
}

function goneOn(demand: DemandForecast, days: Days): Distribution {
  const [before, last] = [demand.distribution(WIDTH_FROM), demand.distribution(MAX_HORIZON_DAYS)]
  const times = days / MAX_HORIZON_DAYS
  const p50 = last.p50 * times
  const growth = growthOf(before.p90 - before.p50, last.p90 - last.p50)
  const width = times ** growth
  return {
    p10: Math.max(0, p50 - (last.p50 - last.p10) * width),
    p50,
    p90: p50 + (last.p90 - last.p50) * width,
    ...(last.p75 !== undefined && { p75: p50 + (last.p75 - last.p50) * width }),
    ...beyondP90(last),
    ...countsBeyond(before.counts, last.counts, days),
  }
}

/**
 * Of moments that can be told: so they count no less than on the 90th day. The rate goes on, and the variance over the mean grows by as much a day as from day 28 to 90. */
function countsBeyond(before: Counts | undefined, last: Counts | undefined, days: Days) {
  if (!before || !last) return {}
  const perDay = Math.max(0, last.dispersion - before.dispersion) / (MAX_HORIZON_DAYS - WIDTH_FROM)
  const mean = (last.mean * days) / MAX_HORIZON_DAYS
  const dispersion = last.dispersion + perDay * (days - MAX_HORIZON_DAYS)
  return { counts: { mean, dispersion, pack: last.pack, weight: last.weight } }
}

function growthOf(before: Units, last: Units): number {
  const [least, most] = WIDTH_GROWTH
  if (!(before > 0) || !(last > 0)) return least
  const growth = Math.log(last / before) / Math.log(MAX_HORIZON_DAYS / WIDTH_FROM)
  return Math.min(most, Math.max(least, growth))
}

/** Median demand of the next `days` days, any number. */
export function medianDemand(demand: DemandForecast, days: Days): Units {
  return shownQuantile(demandOver(demand, days), 'p50')
}

/** A quantile of a distribution, unrounded; of rare demand the count's. */
export const shownQuantile = (distribution: Distribution, level: keyof Quantiles): Units =>
  distribution.counts ? quantileOf(distribution, LEVELS[level]) : distribution[level]

const LEVELS = { p10: 0.1, p50: 0.5, p90: 0.9 }

/** All three, in whole units: what is shown is what decides. */
export const shownQuantiles = (distribution: Distribution): Quantiles => ({
  p10: Math.round(shownQuantile(distribution, 'p10')),
  p50: Math.round(shownQuantile(distribution, 'p50')),
  p90: Math.round(shownQuantile(distribution, 'p90')),
})

/**
 * The demand over `days` days that is not exceeded with probability `level`, in whole units. Up to 90 days P50 and
 * P90 are those that are shown, but for rare demand, of which the count is taken.
 */
export const demandQuantile = (demand: DemandForecast, days: Days, level: Level): Units =>
  days <= 0 ? 0 : Math.round(withoutNoise(quantileOf(demandOver(demand, days), level)))
