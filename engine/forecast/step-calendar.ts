import { MAX_HORIZON_DAYS } from '../horizon.ts'
import { weekdayOf } from '../series/calendar.ts'
import type { LocationContext } from '../series/location-context.ts'
import type { Days, EpochDay } from '../types.ts'
import type { Series } from './series.ts'
import { weekdayProfile } from './weekday.ts'

/**
 * How many days of mean demand the days after the as-of date hold: more or less than one by their weekday. Before
 * 0.10.0 demand that is booked by week or month came on the days of its bookings, `offsets` from the as-of date.
 */
export type StepCalendar =
  { kind: 'daily'; weekdays?: number[] } | { kind: 'posting'; offsets: Days[] }

const DAILY_STEP_COUNTS = [1, 3, 7, 14, 28, 56, MAX_HORIZON_DAYS]
/** Weeks and months that a horizon may touch. */
const BOOKED_STEP_COUNTS = { week: [1, 2, 3, 4, 8, 13], month: [1, 2, 3] }

/** @param period the as-of date, and the day after the series' last one */
export function stepCalendarOf(
  series: Series,
  { asOf, end }: { asOf: EpochDay; end: EpochDay },
  context: LocationContext,
): StepCalendar {
  const weekdays = context.posting
    ? context.weekdays &&
      Array.from({ length: 7 }, (_, i) => context.weekdays![weekdayOf(asOf + i)]!)
    : weekdayProfile(series, { asOf, end }, context)
  return { kind: 'daily', ...(weekdays && { weekdays }) }
}

/** The numbers of steps for which quantiles are computed: enough for every horizon. */
export const stepCountsOf = ({ posting }: Pick<LocationContext, 'posting'>): readonly number[] =>
  posting ? BOOKED_STEP_COUNTS[posting.every] : DAILY_STEP_COUNTS

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
