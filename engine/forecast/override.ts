import { MAX_HORIZON_DAYS } from '../horizon.ts'
import type { Days, EpochDay, Quantiles, Units } from '../types.ts'
import { countsOf } from './counts.ts'
import type { Distribution } from './distribution.ts'
import type { ForecastModel } from './model.ts'
import { demandDistribution } from './predict-demand.ts'

/** What a planner says of the demand of some days, instead of the forecast. */
export interface ForecastOverride {
  ID: number
  /** The first and the last day. */
  from: EpochDay
  to: EpochDay
  /** By which demand is more than the forecast expects, or less; null where `units` are said. */
  percent: number | null
  /** Of all days and all pairs together; null where `percent` is said. */
  units: Units | null
  reason: string
}

/** An override on the days of one forecast, counted from its as-of date. */
export interface DayOverride extends Omit<ForecastOverride, 'from' | 'to'> {
  from: Days
  /** The day after the last one. */
  to: Days
  /** Demand over what the forecast expects. */
  factor: number
  /** What is added a day beyond that. */
  added: Units
}

/** Up to so many times what was expected a number keeps the forecast's shape; the rest of it is added as it is. */
const MOST_SCALED = 4

/**
 * Overrides as they move one forecast: on each day the last one counts. A number is shared evenly over its days, those that
 * are gone by too, and what the forecast expects of the others is scaled to their part.
 * @param overrides those of the pair, the decisive ones last
 * @param shareOf the pair's part of a number, 0..1
 */
export function dayOverrides(
  model: ForecastModel,
  overrides: readonly ForecastOverride[],
  shareOf: (override: ForecastOverride) => number,
): DayOverride[] {
  const winners = new Int32Array(MAX_HORIZON_DAYS).fill(-1)
  overrides.forEach(({ from, to }, i) =>
    winners.fill(i, Math.max(0, from - model.asOf), Math.max(0, to + 1 - model.asOf)),
  )
  const found: DayOverride[] = []
  for (let from = 0; from < winners.length;) {
    let to = from
    while (to < winners.length && winners[to] === winners[from]) to++
    const override = overrides[winners[from]!]
    if (override) found.push(dayOverride(model, override, { from, to }, shareOf))
    from = to
  }
  return found
}

function dayOverride(
  model: ForecastModel,
  override: ForecastOverride,
  { from, to }: { from: Days; to: Days },
  shareOf: (override: ForecastOverride) => number,
): DayOverride {
  const { ID, reason, percent, units } = override
  const days = { ID, reason, percent, units, from, to }
  if (units === null) return { ...days, factor: 1 + (percent ?? 0) / 100, added: 0 }
  if (units === 0) return { ...days, factor: 0, added: 0 }
  const part = (to - from) / (override.to - override.from + 1)
  const target = units * part * shareOf(override)
  const expected = expectedBetween(model, from, to)
  const scaled = expected > 0 ? Math.min(MOST_SCALED, target / expected) : 1
  const added = Math.max(0, target - scaled * expected) / (to - from)
  return { ...days, factor: scaled, added }
}

/** The median that the forecast itself adds between two of its days. */
export const expectedBetween = (model: ForecastModel, from: Days, to: Days): Units =>
  medianAt(model, to) - medianAt(model, from)

const medianAt = (model: ForecastModel, horizon: Days) =>
  horizon > 0 ? demandDistribution(model, Math.min(horizon, MAX_HORIZON_DAYS)).p50 : 0

/** What the forecast expects of an override's days, as far as it knows them. */
export function expectedOf(
  model: ForecastModel,
  { from, to }: Pick<ForecastOverride, 'from' | 'to'>,
) {
  const within = (day: EpochDay) => Math.min(MAX_HORIZON_DAYS, Math.max(0, day - model.asOf))
  return expectedBetween(model, within(from), within(to + 1))
}

/**
 * The distribution of the total demand over the next `horizon` days with what planners say: what each of an override's days
 * adds to a quantile of the sum counts times its factor.
 */
export function overriddenDistribution(
  model: ForecastModel,
  overrides: readonly DayOverride[],
  horizon: Days,
): Distribution {
  const own = demandDistribution(model, horizon)
  const changes = overrides
    .filter(({ from }) => from < horizon)
    .map(({ from, to, factor, added }) => {
      const end = Math.min(to, horizon)
      const before = from ? demandDistribution(model, from) : null
      const after = end === horizon ? own : demandDistribution(model, end)
      return { before, after, by: factor - 1, added: added * (end - from) }
    })
  if (!changes.length) return own
  const moved = (value: (of: Distribution) => number) =>
    changes.reduce(
      (sum, { before, after, by, added }) =>
        sum + by * (value(after) - (before ? value(before) : 0)) + added,
      value(own),
    )
  const within = (low: Units, value: Units, high: Units) => Math.min(high, Math.max(low, value))
  const level = (name: 'p10' | 'p50' | 'p75' | 'p90') => moved((of) => of[name] ?? of.p90)
  const p50 = within(0, level('p50'), Infinity)
  const p10 = within(0, level('p10'), p50)
  const p90 = within(p50, level('p90'), Infinity)
  const p75 = own.p75 === undefined ? undefined : within(p50, level('p75'), p90)
  const pack = own.counts?.pack
  const counts =
    pack === undefined
      ? null
      : countsOf({
          pack,
          mean: moved(({ counts }) => (counts ? counts.mean * pack : 0)) / pack,
          variance: moved(({ counts: c }) => (c ? c.mean * c.dispersion * pack : 0)) / pack,
        })
  const { tail, steep } = own
  const beyond = { tail, ...(steep && { steep }) }
  return { p10, p50, p90, ...beyond, ...(p75 !== undefined && { p75 }), ...(counts && { counts }) }
}

/** Its quantiles as they are shown. */
export function overriddenQuantiles(
  model: ForecastModel,
  overrides: readonly DayOverride[],
  horizon: Days,
): Quantiles {
  const { p10, p50, p90 } = overriddenDistribution(model, overrides, horizon)
  return { p10: Math.round(p10), p50: Math.round(p50), p90: Math.round(p90) }
}
