import { countQuantile } from '../forecast/counts.ts'
import { type Distribution, quantileOf } from '../forecast/distribution.ts'
import type { Days, Level, Quantiles, Units } from '../types.ts'
import { type DemandForecast, demandOver } from './demand.ts'

const WEEK: Days = 7

/**
 * The demand of each of the coming weeks by itself, unrounded. Sums of weeks have medians and ranges that cannot be subtracted from
 * each other: a week has the distribution of the first one with any demand, stretched by the pace that season, promotions and
 * plans give it. That is exact where days are independent but for an error of the level that they share. What planners
 * say instead moves it by as much as it moves the median of the sum.
 */
export function demandByWeek(demand: DemandForecast, weeks: number): Quantiles[] {
  if (demand.statistical) return overridden(demand, demandByWeek(demand.statistical, weeks))
  const { pace = (days: Days) => days, until = Infinity } = demand
  const sums = Array.from({ length: weeks + 1 }, (_, at) => pace(Math.min(at * WEEK, until)))
  const own = sums.slice(1).map((sum, at) => Math.max(0, sum - sums[at]!))
  const first = own.findIndex((units) => units > 0)
  const week = demandOver(demand, (first + 1) * WEEK)
  return own.map((units) => stretched(week, units && units / own[first]!))
}

function overridden(demand: DemandForecast, plain: Quantiles[]): Quantiles[] {
  const increments = ({ at }: Pick<DemandForecast, 'at'>) =>
    plain.map((_, week) => at((week + 1) * WEEK).p50 - (week ? at(week * WEEK).p50 : 0))
  const [is, was] = [increments(demand), increments(demand.statistical!)]
  return plain.map(({ p10, p50, p90 }, week) => {
    const by = is[week]! - was[week]!
    if (!by) return { p10, p50, p90 }
    const moved = (units: Units) =>
      Math.max(0, was[week]! > 0 ? (units * is[week]!) / was[week]! : units + by)
    return { p10: moved(p10), p50: moved(p50), p90: moved(p90) }
  })
}

const stretched = (week: Distribution, by: number): Quantiles => ({
  p10: quantileTimes(week, by, 0.1),
  p50: quantileTimes(week, by, 0.5),
  p90: quantileTimes(week, by, 0.9),
})

/** Rare demand comes oftener, not in greater parts. */
function quantileTimes(week: Distribution, by: number, level: Level): Units {
  if (week.counts?.weight !== 1 || !by) return by && by * quantileOf(week, level)
  return countQuantile({ ...week.counts, mean: week.counts.mean * by }, level)
}
