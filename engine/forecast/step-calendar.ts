import { MAX_HORIZON_DAYS } from '../horizon.ts'
import type { LocationContext } from '../series/location-context.ts'
import { comingPostings } from '../series/posting.ts'
import type { Days, EpochDay } from '../types.ts'
import type { Series } from './series.ts'
import { weekdayProfile } from './weekday.ts'

/**
 * How many steps of demand the days after the as-of date hold. Where demand is booked when it is
 * sold, a day is a step, more or less by its weekday; else each booking is one, on its day.
 */
export type StepCalendar =
  { kind: 'daily'; weekdays?: number[] } | { kind: 'posting'; offsets: Days[] }

const DAILY_STEP_COUNTS = [1, 3, 7, 14, 28, 56, MAX_HORIZON_DAYS]
const POSTING_STEP_COUNTS = [1, 2, 3, 4, 8, 13]

/** @param period the as-of date, and the day after the series' last one */
export function stepCalendarOf(
  series: Series,
  { asOf, end }: { asOf: EpochDay; end: EpochDay },
  context: LocationContext,
): StepCalendar {
  if (!context.posting)
    return { kind: 'daily', weekdays: weekdayProfile(series, { asOf, end }, context) }
  return { kind: 'posting', offsets: comingPostings(context.posting, asOf, MAX_HORIZON_DAYS) }
}

/** The numbers of steps for which quantiles are computed: enough for every horizon of the calendar. */
export function stepCountsOf(calendar: StepCalendar): readonly number[] {
  if (calendar.kind === 'daily') return DAILY_STEP_COUNTS
  const enough = POSTING_STEP_COUNTS.findIndex((steps) => steps >= calendar.offsets.length)
  return POSTING_STEP_COUNTS.slice(0, enough + 1)
}

/** Steps within the next `horizon` days; never falls as the horizon grows. */
export function countSteps(calendar: StepCalendar, horizon: Days): number {
  if (calendar.kind === 'posting')
    return calendar.offsets.filter((offset) => offset < horizon).length
  if (!calendar.weekdays) return horizon
  const whole = horizon - (horizon % 7)
  let steps = whole
  for (let day = whole; day < horizon; day++) steps += calendar.weekdays[day % 7]!
  return steps
}
