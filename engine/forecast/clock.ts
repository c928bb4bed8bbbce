import { MAX_HORIZON_DAYS } from '../horizon.ts'
import type { LocationContext } from '../series/context.ts'
import { comingPostings } from '../series/posting.ts'
import type { Days, EpochDay } from '../types.ts'
import type { Series } from './series.ts'
import { weekdayProfile } from './weekday.ts'

/**
 * How many steps of demand the days after the as-of date hold. Where demand is booked when it is
 * sold, a day is a step, more or less by its weekday; else each booking is one, on its day.
 */
export type Clock = { kind: 'daily'; weekdays?: number[] } | { kind: 'posting'; offsets: Days[] }

const DAILY_KNOTS = [1, 3, 7, 14, 28, 56, MAX_HORIZON_DAYS]
const POSTING_KNOTS = [1, 2, 3, 4, 8, 13]

/** @param period the as-of date, and the day after the series' last one */
export function clockOf(
  series: Series,
  { asOf, end }: { asOf: EpochDay; end: EpochDay },
  context: LocationContext,
): Clock {
  if (!context.posting)
    return { kind: 'daily', weekdays: weekdayProfile(series, { asOf, end }, context) }
  return { kind: 'posting', offsets: comingPostings(context.posting, asOf, MAX_HORIZON_DAYS) }
}

/** The numbers of steps for which quantiles are computed: enough for every horizon of the clock. */
export function knotsOf(clock: Clock): readonly number[] {
  if (clock.kind === 'daily') return DAILY_KNOTS
  const enough = POSTING_KNOTS.findIndex((knot) => knot >= clock.offsets.length)
  return POSTING_KNOTS.slice(0, enough + 1)
}

/** Steps within the next `horizon` days; never falls as the horizon grows. */
export function stepsWithin(clock: Clock, horizon: Days): number {
  if (clock.kind === 'posting') return clock.offsets.filter((offset) => offset < horizon).length
  if (!clock.weekdays) return horizon
  const whole = horizon - (horizon % 7)
  let steps = whole
  for (let day = whole; day < horizon; day++) steps += clock.weekdays[day % 7]!
  return steps
}
